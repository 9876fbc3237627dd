/**
 * The service's statements by name: the bare server and pgbench find them again when the service sends more or fewer.
 */
import type { Operation } from './jobs';

export interface Statement {
  text: string;
  parameters: unknown[];
}

/** Shared by all transactions. */
const transaction = {
  look: /^select "question"\."n".* "outcome"/s,
  lock: /from "balances" .* for update/s,
  record: /^insert into "transactions"/,
};
const value = /^select (?:"debts", )?"asked"\."customerId", "principal"/;
const post = /insert into "ledger_entries"/;

/** How each statement of an operation is recognised. `key` is what every request starts with. */
const marks = {
  key: { find: /cross join "api_key_by_hash"/ },
  balances: { read: /"usable_vouchers" from/ },
  redeem: { ...transaction, value, post },
  topUp: { ...transaction, value, offer: /"stored_value_packages"/, post },
  voucher: { ...transaction, find: /^select .* join "vouchers"/s, use: /^update "vouchers"/ },
  sale: {
    ...transaction,
    value,
    post,
    sale: /^insert into "sales"/,
    lines: /^insert into "sale_lines"/,
    payments: /^insert into "sale_payments"/,
  },
  void: {
    look: /^select "open_store"/,
    lock: transaction.lock,
    lockRows: /^select "uid".* from "transactions" .* for update/s,
    entries: /^\(+select .* from "ledger_entries"/s,
    lots: /^select "id".* from "lots" where/s,
    shortfalls: /"points_shortfall" > 0/,
    duplicates: /^select "id", "merged_into" from "customers"/,
    value,
    bills: /^select .* join "bills"/s,
    disputes: /join "card_disputes"/,
    record: /^insert into "voids"/,
    post,
    mark: /^update "transactions"/,
    audit: /^insert into "audit_log"/,
  },
} satisfies Record<Operation | 'key', Record<string, RegExp>>;

/** The statements of each operation by name. */
export type Statements = { [O in keyof typeof marks]: Record<keyof (typeof marks)[O], Statement> };

/** Errors: where the service sends a statement that has no name here, or none that has one. */
export function nameStatements<O extends keyof Statements>(operation: O, sent: Statement[]): Statements[O] {
  const names: [string, RegExp][] = Object.entries(marks[operation]);
  const named = new Map<string, Statement>();
  for (const statement of sent) {
    const [name, ...others] = names.filter(([, mark]) => mark.test(statement.text)).map(([one]) => one);
    if (name === undefined || others.length > 0 || named.has(name))
      throw new Error(`bench/rest/statements.ts does not name this statement of ${operation}: ${statement.text}`);
    named.set(name, statement);
  }
  for (const [name] of names) if (!named.has(name)) throw new Error(`the service sends no "${name}" of ${operation}`);
  return Object.fromEntries(named) as Statements[O];
}

/** Errors: where the service gives its statement another number of parameters. */
export function checkParameters({ text, parameters }: Statement, given: unknown[]): void {
  if (given.length === parameters.length) return;
  throw new Error(`the service gives ${parameters.length} parameters, not ${given.length}, to ${text}`);
}
