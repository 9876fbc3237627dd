/** Compares the responses of each client with the ledger, entry by entry. */
import type postgres from 'postgres';
import { verifyLedger } from '@/server/domain/ledger/verify';
import { type Pos, sendRequest, type Told } from './clients';
import type { Complaint, Rule } from './complaints';

interface Row {
  uid: string;
  id: string;
  type: 'topUp' | 'redeemStoredValue' | 'sale' | null;
  status: Told['status'];
  answer: string | null;
}

interface Entry {
  uid: string;
  customerId: string;
  part: 'principal' | 'bonus';
  kind: string;
  amount: number;
}

interface Value {
  principal: number;
  bonus: number;
}

const plus = (value: Value, { part, amount }: Entry): Value => ({ ...value, [part]: value[part] + amount });
const nothing: Value = { principal: 0, bonus: 0 };
const textOf = ({ principal, bonus }: Value) => `${principal} + ${bonus}`;
const totalOf = ({ principal, bonus }: Value) => String(principal + bonus);

/** What staff have refunded in part, by transaction: the rest has its id and response, and the whole another id. */
const refundedBy = (told: Told[]) =>
  new Map(told.flatMap(({ body, refunded = 0 }) => (refunded > 0 ? [[body.transactionId, refunded] as const] : [])));
const isRefundedWhole = ({ id, status }: Row) => id.startsWith('refunded-') && status === 'voided';

/** The change that a response reports. */
function movedBy(answer: string): Value {
  const { type, principal, bonus, principalUsed, bonusUsed } = JSON.parse(answer);
  if (type === 'sale') return nothing;
  return type === 'topUp' ? { principal, bonus } : { principal: -principalUsed, bonus: -bonusUsed };
}

/** Returns the ledger's deviations from `told`, the complete list of outcomes that clients received. */
export async function auditLedger(owner: postgres.Sql, told: Told[]): Promise<Complaint[]> {
  const rows = await owner<Row[]>`select uid, transaction_id as id, type, status, answer from transactions`;
  const entries = await owner<Entry[]>`
    select transaction_uid as uid, customer_id as "customerId", part, kind, amount::int from ledger_entries order by id`;
  const balances = await owner<(Value & { id: string })[]>`
    select customer_id as id, principal::int, bonus::int from balances`;
  const violations = await verifyLedger(owner);
  return [
    ...compareOutcomes(told, rows),
    ...compareEntries(rows, entries, refundedBy(told)),
    ...compareBalances(told, balances),
    ...violations.map((one) => complaint('the ledger does not add up', `${one.rule}: ${one.subject}, ${one.found}`)),
  ];
}

const complaint = (rule: Rule, found: string): Complaint => ({ rule, found });

/** Each id has one row with the outcome that its client received, and there are no other rows. */
function compareOutcomes(told: Told[], rows: Row[]): Complaint[] {
  const rowsOf = new Map<string, Row[]>();
  for (const row of rows) rowsOf.set(row.id, [...(rowsOf.get(row.id) ?? []), row]);
  const complaints = told.flatMap(({ body, status, answer }) => {
    const id = body.transactionId;
    const [row, ...more] = rowsOf.get(id) ?? [];
    rowsOf.delete(id);
    const found = `${id} was told to be ${status}, and is ${row?.type ?? 'unseen'}, ${row?.status ?? 'unknown'}`;
    if (more.length > 0) return [complaint('a transaction was carried out twice', `${id}, ${1 + more.length} times`)];
    if (status !== 'completed' && row?.status === 'completed')
      return [complaint('a transaction that was refused or voided was carried out', found)];
    // A refusal is stored without its envelope; `askAgain` checks that it is replayed unchanged.
    const isSame = answer === null || status === 'refused' || row?.answer === answer;
    return row?.status === status && isSame ? [] : [complaint('an acknowledged transaction is lost', found)];
  });
  const parts = rows.filter(isRefundedWhole);
  for (const { id } of parts) rowsOf.delete(id);
  const untold = [...rowsOf.keys()].map((id) => complaint('a transaction was carried out that nobody was told of', id));
  const refunds = refundedBy(told).size;
  if (parts.length !== refunds) {
    complaints.push(complaint('a transaction was carried out twice', `${parts.length} refunds, not ${refunds}`));
  }
  return [...complaints, ...untold];
}

/** Each transaction moved what its response says, or nothing; and each reported balance was correct at that time. */
function compareEntries(rows: Row[], entries: Entry[], refunded: Map<string, number>): Complaint[] {
  const moved = new Map<string, Value>();
  const balanceOf = new Map<string, Value>();
  const balanceAfter = new Map<string, Value>();
  for (const entry of entries) {
    moved.set(entry.uid, plus(moved.get(entry.uid) ?? nothing, entry));
    const balance = plus(balanceOf.get(entry.customerId) ?? nothing, entry);
    balanceOf.set(entry.customerId, balance);
    if (entry.kind !== 'void') balanceAfter.set(entry.uid, balance);
  }
  return rows.flatMap(({ uid, id, type, status, answer }) => {
    const expected = status === 'completed' && answer !== null ? movedBy(answer) : nothing;
    const found = moved.get(uid) ?? nothing;
    const complaints: Complaint[] = [];
    const refund = refunded.get(id);
    if (refund !== undefined) {
      // The response is of the whole. What comes back of each part follows the order in which lots are spent.
      if (totalOf(found) === totalOf({ ...expected, bonus: expected.bonus + refund })) return [];
      const line = `${id}, refunded by ${refund}: ${textOf(found)}, of ${textOf(expected)}`;
      return [complaint('the entries of a transaction are not what was told', line)];
    }
    if (textOf(found) !== textOf(expected)) {
      const line = `${id}, ${status}: ${textOf(found)}, not ${textOf(expected)}`;
      complaints.push(complaint('the entries of a transaction are not what was told', line));
    }
    const wasCarriedOut = type !== null && answer !== null && 'storedValue' in JSON.parse(answer);
    const [said, was] = [wasCarriedOut ? JSON.parse(answer).storedValue : nothing, balanceAfter.get(uid) ?? nothing];
    if (textOf(said) !== textOf(was)) {
      const line = `${id}: ${textOf(said)} was told, ${textOf(was)} stood there`;
      complaints.push(complaint('a balance that was told is not the sum of its entries', line));
    }
    return complaints;
  });
}

/** Each balance is the sum of the reported transactions. */
function compareBalances(told: Told[], balances: (Value & { id: string })[]): Complaint[] {
  const expected = new Map<string, Value>();
  const withRefunds = new Set<string>();
  for (const { body, status, answer, refunded = 0 } of told) {
    if (status !== 'completed' || answer === null) continue;
    if (!body.customer) continue;
    const { customerId } = body.customer;
    const { principal, bonus } = movedBy(answer);
    const before = expected.get(customerId) ?? nothing;
    expected.set(customerId, { principal: before.principal + principal, bonus: before.bonus + bonus + refunded });
    if (refunded > 0) withRefunds.add(customerId);
  }
  return balances.flatMap(({ id, ...balance }) => {
    const sum = expected.get(id) ?? nothing;
    const print = withRefunds.has(id) ? totalOf : textOf;
    if (print(sum) === print(balance)) return [];
    return [complaint('a balance is not what the clients were told', `${id}: ${textOf(balance)}, not ${textOf(sum)}`)];
  });
}

/** Sends each of `told` again: the response must be the same. */
export async function askAgain(pos: Pos, told: Told[]): Promise<Complaint[]> {
  const complaints: Complaint[] = [];
  for (const { path, body, status, answer } of told) {
    const again = await sendRequest(pos, 'POST', path, body);
    const isSame =
      status === 'voided'
        ? again.status === 402 && JSON.parse(again.text).error.code === 'transaction_voided'
        : again.isReplay && meaningOf(again.text) === meaningOf(answer ?? '');
    if (!isSame) {
      const found = `${body.transactionId}, ${status}: ${answer}, then ${again.status} ${again.text}`;
      complaints.push(complaint('asked again, an answer is another one', found));
    }
  }
  return complaints;
}

/** A success byte for byte; of a refusal, the constant part: a look-up returns it without its envelope. */
function meaningOf(text: string): string {
  const { error } = JSON.parse(text);
  return error ? JSON.stringify([error.code, error.message, error.details]) : text;
}
