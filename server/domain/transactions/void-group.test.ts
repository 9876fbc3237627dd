/** Voids at the same moment: each is all or nothing by itself, whatever else is in its group. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createCustomer } from '@/server/testing/factory';
import { createCampaign, createVoucher } from '@/server/testing/factory-ordering';
import { holdBalances, losingAnswers } from '@/server/testing/faults';
import { type Customer, groupStage, openingValue, outcomeOf } from '@/server/testing/group-stage';
import { DomainError } from '../kernel/errors';
import { redeemPoints } from '../points/redeem';
import { redeemVoucher } from '../vouchers/redeem';
import { voidTransactions } from './void';

const stage = groupStage();
const { next, buy, customerWithValue, redeem, sell, principalOf } = stage;

async function redeemed(customer: Customer, amount: number): Promise<string> {
  const { transactionId } = await redeem(customer, amount);
  return transactionId;
}

/** The outcome of each id, or the code of the refusal. */
const voided = (transactionIds: string[], by = stage.till) =>
  voidTransactions(by, { transactionIds }).then(
    ({ results }) => results.map(({ status }) => status),
    (error) => {
      if (!(error instanceof DomainError)) throw error;
      // Transactions in the same void never prevent it.
      const { blocking } = error.details as { blocking: { spentBy: { transactionId: string }[] }[] };
      const spentBy = blocking.flatMap((one) => one.spentBy.map(({ transactionId }) => transactionId));
      expect(transactionIds.filter((id) => spentBy.includes(id))).toEqual([]);
      return error.code;
    },
  );

describe('voids at the same moment', () => {
  test('those of many customers share a database transaction; one whose value was spent is refused alone', async () => {
    const customers = await Promise.all(Array.from({ length: 12 }, customerWithValue));
    const [spender, ...others] = customers as [Customer, ...Customer[]];
    const spentBy = await redeemed(spender, 1);
    const refusal = voidTransactions(stage.till, { transactionIds: [spender.topUpId] }).catch((error) => error.details);
    const answers = await Promise.all(others.map(({ topUpId }) => voided([topUpId])));
    expect(answers).toEqual(others.map(() => ['voided']));
    expect(await refusal).toMatchObject({
      blocking: [{ transactionId: spender.topUpId, spentBy: [{ transactionId: spentBy }] }],
    });
    expect(await Promise.all(customers.map(principalOf))).toEqual([999, ...others.map(() => 0)]);

    const ids = others.map(({ topUpId }) => topUpId);
    const rows = await stage.owner`
      select t.transaction_id, v.xmin::text as written, v.store_id, v.api_key_id, a.after, a.actor_id
      from voids v join transactions t on t.merchant_id = v.merchant_id and t.void_id = v.id
      join audit_log a on a.merchant_id = v.merchant_id and a.subject_id = v.id::text
      where t.transaction_id = any(${ids})`;
    expect(rows).toHaveLength(ids.length);
    for (const row of rows) {
      expect(JSON.parse(row.after).transactionIds).toEqual([row.transaction_id]);
      expect([row.store_id, row.api_key_id]).toEqual([stage.merchant.stores[0].id, row.actor_id]);
    }
    expect(new Set(rows.map(({ written }) => written)).size).toBeLessThan(rows.length);
  });

  test('of one transaction, or of one customer: it is voided once, and each is told what it did', async () => {
    const customer = await customerWithValue();
    const [one, two] = [await redeemed(customer, 300), await redeemed(customer, 200)];
    const answers = await Promise.all([voided([one]), voided([one, two]), voided([two]), voided([one])]);
    const told = answers.flat();
    expect(told.filter((status) => status === 'voided')).toHaveLength(2);
    expect(told.filter((status) => status === 'already_voided')).toHaveLength(3);
    expect(await principalOf(customer)).toBe(openingValue);
  });

  test('of ids that nobody has used: each is remembered once for its store', async () => {
    const [unknown, also] = [next(), next()];
    const answers = await Promise.all([
      voided([unknown]),
      voided([also, unknown]),
      voided([unknown], stage.otherTill),
      voided([unknown, also]),
    ]);
    expect(answers[2]).toEqual(['not_found']);
    expect(
      answers
        .filter((_, n) => n !== 2)
        .flat()
        .sort(),
    ).toEqual([...Array(3).fill('already_voided'), ...Array(2).fill('not_found')]);
    const { id } = await createCustomer(stage.owner, stage.merchant.id);
    const late = buy({ id }, unknown);
    await expect(late).rejects.toMatchObject({ code: 'transaction_voided' });
  });

  test('of sales: points that were spent stay owed, each customer’s by that customer, and are paid with what comes back', async () => {
    const sellTo = async (total: number) => {
      const { id: customerId } = await createCustomer(stage.owner, stage.merchant.id);
      return { customerId, transactionId: (await sell(total, customerId)).transactionId };
    };
    const sales = await Promise.all([1_000, 2_000, 3_000].map(sellTo));
    const ids = sales.map(({ transactionId }) => transactionId);
    // The first customer keeps all points.
    const spent = await Promise.all(
      sales.slice(1).map(async ({ customerId }) => {
        const transactionId = next();
        await redeemPoints(stage.till, { transactionId, customer: { customerId }, points: 3 });
        return transactionId;
      }),
    );
    const voidEach = (each: string[]) =>
      Promise.all(each.map((id) => voidTransactions(stage.till, { transactionIds: [id] })));
    const answers = await voidEach(ids);
    expect(answers.flatMap(({ results }) => results)).toMatchObject(
      [undefined, 3, 3].map((pointsShortfall) => ({ status: 'voided', pointsShortfall })),
    );
    const held = () => stage.owner`
      select b.points::int as points, t.points_shortfall::int as owed from balances b join transactions t
      on t.merchant_id = b.merchant_id and t.customer_id = b.customer_id where t.transaction_id = any(${ids})
      order by array_position(${ids}, t.transaction_id)`;
    expect(await held()).toEqual([0, 3, 3].map((owed) => ({ points: 0, owed })));
    await voidEach(spent);
    expect(await held()).toEqual([0, 0, 0].map((owed) => ({ points: 0, owed })));
  });

  test('with a redemption that is on its way: it is voided with what it spent, or can never be carried out', async () => {
    for (let round = 0; round < 60; round++) {
      const customer = await customerWithValue();
      const transactionId = next();
      const redemption = outcomeOf(redeem(customer, 1, transactionId));
      for (let turn = 0; turn < round % 12; turn++) await new Promise(setImmediate);
      const answer = await voided([customer.topUpId, transactionId]);
      expect([
        [['voided', 'voided'], 'completed'],
        [['voided', 'not_found'], 'transaction_voided'],
      ]).toContainEqual([answer, await redemption]);
      expect(await principalOf(customer)).toBe(0);
    }
  });

  test('one whose balance is locked waits alone', async () => {
    const customers = await Promise.all(Array.from({ length: 10 }, customerWithValue));
    const [locked, ...free] = customers as [Customer, ...Customer[]];
    const release = await holdBalances(stage.owner, [locked.id]);
    const waiting = voided([locked.topUpId]);
    expect(await Promise.all(free.map(({ topUpId }) => voided([topUpId])))).toEqual(free.map(() => ['voided']));
    expect(await principalOf(locked)).toBe(openingValue);
    await release();
    expect(await waiting).toEqual(['voided']);
  });

  test('whose commit is carried out and not told of are told what they did, and are written once', async () => {
    const customers = await Promise.all(Array.from({ length: 12 }, customerWithValue));
    const { db, lost } = losingAnswers(stage.till.db, 'insert into "voids"');
    const ofBefore = [next(), next()];
    await voided(ofBefore);
    const batches = customers.map(({ topUpId }) => [topUpId, next()]);
    const unseen = [[next()], [next()]];
    const answers = await Promise.all(
      [...batches, ...unseen, ofBefore.slice(0, 1), ofBefore.slice(1)].map((batch) =>
        voided(batch, { ...stage.till, db }),
      ),
    );
    expect(lost.groups).toBeGreaterThan(0);
    expect(answers).toEqual([
      ...batches.map(() => ['voided', 'not_found']),
      ...[['not_found'], ['not_found'], ['already_voided'], ['already_voided']],
    ]);
    const [row] = await stage.owner`
      select count(*)::int as voids from audit_log
      where action = 'transactions.void' and (${batches.map(([id]) => id as string)})::text[] && array(
        select json_array_elements_text(after::json -> 'transactionIds'))`;
    expect(row?.voids).toBe(batches.length);
  });

  test('batches of many are carried out beside small ones', async () => {
    const customers = await Promise.all(Array.from({ length: 6 }, customerWithValue));
    const large = customers.map(({ topUpId }) => [topUpId, ...Array.from({ length: 80 }, next)]);
    const small = await Promise.all(Array.from({ length: 6 }, customerWithValue));
    const answers = await Promise.all([
      ...large.map((batch) => voided(batch)),
      ...small.map(({ topUpId }) => voided([topUpId])),
    ]);
    expect(answers.map((answer) => answer[0])).toEqual(answers.map(() => 'voided'));
    expect(await Promise.all([...customers, ...small].map(principalOf))).toEqual(answers.map(() => 0));
  });

  test('of vouchers: each can be used again', async () => {
    const { owner } = stage;
    const campaignId = await createCampaign(owner, stage.merchant.id, { unit: 'BillDollarValue', value: 300 });
    const used = await Promise.all(
      [1, 2, 3].map(async () => {
        const { id: customerId } = await createCustomer(owner, stage.merchant.id);
        const voucherCode = await createVoucher(owner, stage.merchant.id, { campaignId, customerId });
        const use = (transactionId: string) =>
          redeemVoucher(stage.till, { transactionId, customer: { customerId }, voucherCode, bill: { amount: 1_000 } });
        const transactionId = next();
        await use(transactionId);
        return { use, transactionId };
      }),
    );
    const answers = await Promise.all(used.map(({ transactionId }) => voided([transactionId])));
    expect(answers).toEqual(used.map(() => ['voided']));
    const again = await Promise.all(used.map(({ use }) => use(next())));
    expect(again.map(({ status }) => status)).toEqual(used.map(() => 'completed'));
  });

  test('whatever comes together, with redemptions between: each batch is all or none, and balances are what is left', async () => {
    const batches = fc.array(fc.uniqueArray(fc.nat(11), { minLength: 1, maxLength: 4 }), {
      minLength: 2,
      maxLength: 12,
    });
    await fc.assert(
      fc.asyncProperty(batches, fc.array(fc.nat(2), { maxLength: 4 }), async (wanted, spending) => {
        // For each of three customers, a top-up and three redemptions.
        const customers = await Promise.all([0, 1, 2].map(customerWithValue));
        const ids: string[] = [];
        for (const customer of customers) {
          ids.push(customer.topUpId);
          for (const amount of [100, 200, 300]) ids.push(await redeemed(customer, amount));
        }
        const asked = wanted.map((batch) => batch.map((n) => ids[n] as string));
        const [answers] = await Promise.all([
          Promise.all(asked.map((batch) => voided(batch))),
          Promise.allSettled(spending.map((who) => redeemed(customers[who] as Customer, 150))),
        ]);
        const rows = await stage.owner`
          select transaction_id, customer_id, type, status, amount::int as amount from transactions
          where customer_id = any(${customers.map(({ id }) => id)})`;
        const isVoided = (id: string) => rows.some((row) => row.transaction_id === id && row.status === 'voided');
        for (const [n, batch] of asked.entries()) {
          if (answers[n] === 'void_refused') continue;
          expect(answers[n]).toHaveLength(batch.length);
          expect(batch.every(isVoided)).toBe(true);
        }
        const byWhom = answers.flatMap((answer, n) =>
          Array.isArray(answer) ? (asked[n] ?? []).filter((_, at) => answer[at] === 'voided') : [],
        );
        // Each was voided by exactly one request.
        expect(byWhom.sort()).toEqual(ids.filter(isVoided).sort());
        const left = customers.map(({ id }) =>
          rows
            .filter(({ customer_id, status }) => customer_id === id && status === 'completed')
            .reduce((sum, { type, amount }) => sum + (type === 'topUp' ? amount : -amount), 0),
        );
        expect(await Promise.all(customers.map(principalOf))).toEqual(left);
        expect(Math.min(...left)).toBeGreaterThanOrEqual(0);
      }),
      { numRuns: 25 },
    );
  });
});
