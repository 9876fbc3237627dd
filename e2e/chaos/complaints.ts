/** What must never happen, as the texts of complaints. */
export type Rule =
  | 'an acknowledged transaction is lost'
  | 'a transaction was carried out twice'
  | 'a transaction that was refused or voided was carried out'
  | 'a transaction was carried out that nobody was told of'
  | 'the entries of a transaction are not what was told'
  | 'a balance that was told is not the sum of its entries'
  | 'a balance is not what the clients were told'
  | 'a bill is not what its till was told'
  | 'a negative balance was read'
  | 'a balance was read that is not the sum of its parts'
  | 'balances could not be read'
  | 'the ledger does not add up'
  | 'asked again, an answer is another one'
  | 'an outcome stayed unknown'
  | 'an answer took 5 seconds or longer'
  | 'a request went unanswered while the service lived'
  | 'an answer had a status that it must not have'
  | 'too many answers came too late'
  | 'an answer says no Retry-After'
  | 'nothing was served for 5 seconds after a restart'
  | 'a process ended by itself'
  | 'too little happened';

export interface Complaint {
  rule: Rule;
  /** The instance found. */
  found: string;
}
