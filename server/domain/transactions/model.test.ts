/** Hundreds of random sequences of requests against a model of what they must mean (see server/testing/ledger-model). */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { cloneDatabase, type TestDatabase } from '@/db/testing/database';
import {
  createCustomer,
  createFixedPackage,
  createMerchant,
  createOpenPackage,
  type TestMerchant,
  testServices,
} from '@/server/testing/factory';
import { ledgerCommands } from '@/server/testing/ledger-model/commands';
import { LedgerModel } from '@/server/testing/ledger-model/model';
import { balanceLimit } from '@/server/testing/ledger-model/operations';
import type { ModelPackage, Session } from '@/server/testing/ledger-model/session';
import { verifyLedger } from '../ledger/verify';
import { authenticate } from '../merchants/authenticate';

const sequences = 500;
const start = new Date('2026-03-01T02:00:00Z');
let database: TestDatabase;
let merchant: TestMerchant;
let packages: ModelPackage[];
const seen = new Map<string, number>();

beforeAll(async () => {
  database = await cloneDatabase(inject('adminUrl'));
  const { owner } = database;
  merchant = await createMerchant(owner, { balance_limit: balanceLimit });
  const fixed = async (amount: number, bonus: number, days: number | null): Promise<ModelPackage> => ({
    packageId: await createFixedPackage(owner, merchant.id, { amount, bonus, bonus_expires_in_days: days }),
    min: amount,
    max: amount,
    bonusOf: () => bonus,
    expiresInDays: days,
  });
  const open: ModelPackage = {
    packageId: await createOpenPackage(owner, merchant.id, {
      min: 50,
      max: 3_000,
      basisPoints: 1_555,
      bonus_expires_in_days: 1,
    }),
    min: 50,
    max: 3_000,
    bonusOf: (amount) => Math.floor((amount * 1_555) / 10_000),
    expiresInDays: 1,
  };
  packages = [await fixed(1_000, 200, 3), open, await fixed(700, 300, null), await fixed(400, 0, 5)];
});
afterAll(() => database.drop());

/** Two customers of one's own, at a time of one's own. */
async function newSession(): Promise<{ model: LedgerModel; real: Session }> {
  const { owner, db } = database;
  let now = start;
  const services = testServices(db, { now: () => now });
  const context = await authenticate(services, merchant.stores[0].key, 'sandbox');
  const customers = [await createCustomer(owner, merchant.id), await createCustomer(owner, merchant.id)];
  const real: Session = {
    request: () => ({ ...context }),
    setTime: (time) => {
      now = time;
    },
    customers,
    packages,
    seen,
    bonusLeftIn: async (transactionIds) => {
      const rows = await owner<{ remaining: string }[]>`
        select l.remaining from lots l join transactions t on t.merchant_id = l.merchant_id and t.uid = l.transaction_uid
        where t.merchant_id = ${merchant.id} and t.transaction_id = any(${transactionIds}) and l.part = 'bonus'`;
      return rows.map(({ remaining }) => Number(remaining));
    },
  };
  const customerIds = customers.map(({ id }) => id);
  return { model: new LedgerModel(start, customerIds), real };
}

test(`${sequences} sequences of top-ups, redemptions, repeats and voids come to what the model says`, async () => {
  await fc.assert(
    fc.asyncProperty(ledgerCommands(60), async (commands) => {
      const session = await newSession();
      await fc.asyncModelRun(() => session, commands);
    }),
    { numRuns: sequences, interruptAfterTimeLimit: 150_000, markInterruptAsFailure: true },
  );
  expect(await verifyLedger(database.owner)).toEqual([]);
  // A run that never came by these would prove little.
  const needed = [
    ...[
      'topUp',
      'redeemStoredValue',
      'insufficient_balance',
      'balance_limit_exceeded',
      'invalid_request',
      'expired',
      'partial',
    ],
    ...['replay of a completed', 'replay of a refused', 'replay of a voided', 'late original'],
    ...['transaction_id_conflict', 'transaction_voided', 'void_refused', 'restored past its time'],
    ...['voided topUp', 'voided redeemStoredValue', 'already_voided topUp', 'not_found undefined'],
  ];
  const rare = needed.filter((what) => (seen.get(what) ?? 0) < 5);
  expect(rare, JSON.stringify([...seen])).toEqual([]);
}, 180_000);
