/** Defects that the bank test must catch, each planted in a run's build or database. */
import type { Size, Subject } from './bank';
import type { Rule } from './complaints';

interface Mutant extends Subject {
  size: Size;
  /** The complaints that a run with the defect must make. */
  caughtBy: Rule[];
}

const withoutKills: Size = {
  clients: 16,
  transactions: 300,
  lateOriginals: 0,
  kills: { database: 0, service: 0 },
  maxSeconds: 120,
};
/** Enough kills that one comes while a commit is pending. */
const withKills: Size = { ...withoutKills, kills: { database: 4, service: 3 } };

export const mutants = {
  'no lock': {
    patches: [
      {
        file: 'server/domain/ledger/balance.ts',
        find: "given.customerId)))\n    .for('update'),",
        replace: 'given.customerId))),',
      },
      {
        file: 'server/domain/ledger/balance.ts',
        find: ".orderBy(balances.customerId)\n    .for('update'),",
        replace: '.orderBy(balances.customerId),',
      },
      {
        file: 'server/domain/ledger/balance.ts',
        find: ".for('update', { skipLocked: true })\n    .as('free')",
        replace: ".as('free')",
      },
    ],
    // The table's own constraint would turn each double spending into an error.
    sql: [
      'alter table balances drop constraint balances_principal, drop constraint balances_bonus',
      'alter table lots drop constraint lots_remaining',
    ],
    size: withoutKills,
    caughtBy: ['a negative balance was read', 'a balance that was told is not the sum of its entries'],
  },
  'no unique id': {
    patches: [],
    sql: [
      'alter table transactions drop constraint transactions_transaction_id',
      'create index on transactions (merchant_id, store_id, transaction_id)',
    ],
    size: withoutKills,
    caughtBy: ['a transaction was carried out twice'],
  },
  'no tombstone': {
    patches: [
      {
        file: 'server/domain/transactions/void.ts',
        find: '.flatMap(({ id: voidId,',
        replace: '.slice(0, 0).flatMap(({ id: voidId,',
      },
    ],
    sql: [],
    size: withoutKills,
    caughtBy: ['a transaction that was refused or voided was carried out'],
  },
  'commit after answer': {
    patches: [
      {
        file: 'db/driver/run-transaction.ts',
        find: "const commit = sendStatement(connection, { sql: 'commit', params: [] });",
        replace: "const commit = Promise.resolve({ command: 'COMMIT' });",
      },
      {
        file: 'db/driver/run-transaction.ts',
        find: '    connection.release();\n    db.usage.running -= 1;',
        replace:
          "    setTimeout(() => connection.unsafe('commit').catch(() => {}).finally(() => connection.release()), 20);\n    db.usage.running -= 1;",
      },
    ],
    sql: [],
    size: withKills,
    caughtBy: ['an acknowledged transaction is lost'],
  },
  'late closing': {
    patches: [
      {
        file: 'server/domain/bills/close.ts',
        find: "ending === 'closed' && isLateCopy(row, input.occurredAt)",
        replace: 'row.state !== row.state',
      },
    ],
    sql: [],
    size: withoutKills,
    caughtBy: ['a bill is not what its till was told'],
  },
} satisfies Record<string, Mutant>;
