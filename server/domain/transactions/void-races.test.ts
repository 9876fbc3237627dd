import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sharedDatabase } from '@/db/testing/database';
import { openStage } from '@/server/testing/transaction-stage';
import { verifyLedger } from '../ledger/verify';
import { redeemStoredValue } from '../stored-value/redeem';
import { topUp } from '../top-ups/top-up';
import { voidTransactions } from './void';

const database = sharedDatabase();
let stage: Awaited<ReturnType<typeof openStage>>;

beforeAll(async () => {
  stage = await openStage(database);
});
beforeEach(() => stage.newCustomer());
afterAll(async () => {
  expect(await verifyLedger(database.owner)).toEqual([]);
});

describe('at the same moment', () => {
  test('two of the staff, with the same look: one voids, the other finds it voided', async () => {
    const { north, south, preview, voidAs, paid, redeemed, held } = stage;
    for (let round = 0; round < 8; round++) {
      const uids = [await paid(north), await redeemed(south, 700)];
      const { effect } = await preview(...uids);
      const both = await Promise.all([voidAs(effect, ...uids), voidAs(effect, ...uids.toReversed())]);
      const told = both.map(({ results }) => results.map(({ status }) => status).join()).sort();
      expect(told).toEqual(['alreadyVoided,alreadyVoided', 'voided,voided']);
      expect((await held()).principal).toBe(0);
    }
  });

  test('staff and a POS: it is voided once, by one of them', async () => {
    const { packageId, north, next, uidOf, preview, voidAs, held } = stage;
    for (let round = 0; round < 12; round++) {
      const [a, b] = [next(), next()];
      await topUp(north, { ...a, packageId });
      await redeemStoredValue(north, { ...b, amount: 1_000 });
      const uids = [await uidOf(b.transactionId), await uidOf(a.transactionId)];
      const { effect } = await preview(...uids);
      const byPos = () => voidTransactions(north, { transactionIds: [a.transactionId, b.transactionId] });
      const byStaff = () => voidAs(effect, ...uids);
      const [pos, staff] = await Promise.all(
        round % 2 === 0 ? [byPos(), byStaff()] : [byStaff(), byPos()].toReversed(),
      );
      const told = [pos, staff].map((answer) => (answer as { results: { status: string }[] }).results[0]?.status);
      expect(['voided,alreadyVoided', 'already_voided,voided']).toContain(told.join());
      expect(await held()).toEqual({ principal: 0, bonus: 0, points: 0 });
    }
  });

  test('a void of a top-up and a redeem of its value: nothing is spent twice', async () => {
    const { north, south, preview, voidAs, paid, held } = stage;
    for (let round = 0; round < 12; round++) {
      const uid = await paid(north);
      const { effect } = await preview(uid);
      const spend = () =>
        redeemStoredValue(south, { ...stage.next(), amount: 9_000 }).then(
          () => 'redeemed',
          ({ code }) => code,
        );
      const undo = () =>
        voidAs(effect, uid).then(
          () => 'voided',
          ({ cause }) => cause.code,
        );
      const [spent, undone] = await Promise.all(round % 2 === 0 ? [spend(), undo()] : [undo(), spend()].toReversed());
      expect([
        ['redeemed', 'void_refused'],
        ['insufficient_balance', 'voided'],
      ]).toContainEqual([spent, undone]);
      const { principal, bonus } = await held();
      expect(principal + bonus).toBe(spent === 'redeemed' ? 3_000 : 0);
      await stage.newCustomer();
    }
  });
});
