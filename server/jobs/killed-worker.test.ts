/** A worker is killed at each of its steps. Another one continues, and nothing is done twice or left undone. */
import { afterAll, expect, test } from 'vitest';
import { ownDatabase } from '@/db/testing/database';
import { createCampaignScene } from '@/server/testing/campaigns';
import { Died, dyingAt } from '@/server/testing/dying-database';
import { createFixedPackage } from '@/server/testing/factory';
import { createNoticeScene, silentMessenger } from '@/server/testing/notices';
import { authenticateKey } from '../domain/access/authenticate';
import type { Services } from '../domain/kernel/context';
import { expireValue } from '../domain/ledger/expire';
import { verifyLedger } from '../domain/ledger/verify';
import { remindOfExpiryOf } from '../domain/messaging/remind';
import { sendNotices } from '../domain/messaging/send-notices';
import { topUp } from '../domain/top-ups/top-up';
import { continueIssue } from '../domain/vouchers/issue-run';
import { beginOccasions } from '../domain/vouchers/occasions';

const database = ownDatabase();
afterAll(async () => {
  expect(await verifyLedger(database.owner)).toEqual([]);
});

/** Max steps at which a test kills a worker. With more, the worker would never end. */
const maxSteps = 120;

/** Kills a worker at each of its steps, each time in a new scene. Two others then continue at once. */
async function killAtEveryStep(
  newWorld: () => Promise<{
    services: Services;
    work: (services: Services) => Promise<unknown>;
    check: () => Promise<void>;
  }>,
): Promise<number> {
  for (let step = 1; step < maxSteps; step++) {
    const { services, work, check } = await newWorld();
    const { db, isOver } = dyingAt(services.db, step);
    const end = await work({ ...services, db }).catch((error: unknown) => error);
    if (isOver()) {
      expect(end).not.toBeInstanceOf(Error);
      await check();
      return step;
    }
    expect(end).toBeInstanceOf(Died);
    await Promise.all([work(services), work(services)]);
    await check();
  }
  throw new Error('the worker never ends');
}

test('birthday vouchers: one per customer and day', async () => {
  const steps = await killAtEveryStep(async () => {
    // Ends earlier scenes, because their campaigns would be started, too.
    await database.owner`update voucher_campaigns set archived_at = now() where archived_at is null`;
    const scene = await createCampaignScene(database);
    const campaignId = await scene.addCampaign({ trigger: 'birthday' });
    const customerIds = await scene.addCustomers(3);
    await database.owner`update customers set birthday = '1990-11-21' where id = any(${customerIds})`;
    scene.moveTo('2026-11-21T04:00:00Z');
    const merchantId = scene.merchant.id;
    const work = async (services: Services) => {
      await beginOccasions(services);
      const open =
        await database.owner`select id from voucher_issues where merchant_id = ${merchantId} and finished_at is null`;
      for (const { id } of open) await continueIssue(services, { merchantId, issueId: id });
    };
    const check = async () => {
      const vouchers = await scene.vouchersOf(campaignId);
      expect(vouchers.map((one) => one.customer_id).sort()).toEqual([...customerIds].sort());
      const [campaign] = await database.owner`
        select c.issued_count, (select sum(done)::int from job_runs where merchant_id = ${merchantId} and task = 'issue-vouchers') as done
        from voucher_campaigns c where id = ${campaignId}`;
      expect(campaign).toEqual({ issued_count: 3, done: 3 });
    };
    return { services: scene.services, work, check };
  });
  expect(steps).toBeGreaterThan(20);
});

test('expired value: each lot is written off once', async () => {
  const steps = await killAtEveryStep(async () => {
    const scene = await createCampaignScene(database);
    const merchantId = scene.merchant.id;
    const packageId = await createFixedPackage(database.owner, merchantId, {
      amount: 1_000,
      bonus: 200,
      bonus_expires_in_days: 1,
    });
    const till = await authenticateKey(scene.services, scene.merchant.stores[0].key);
    for (const customerId of await scene.addCustomers(2)) {
      await topUp(till, { transactionId: `t-${customerId}`, customer: { customerId }, packageId });
    }
    scene.moveTo('2026-12-20T04:00:00Z');
    const check = async () => {
      const balances = await database.owner`
        select bonus::int, principal::int from balances where merchant_id = ${merchantId}`;
      expect([...balances]).toEqual(Array(2).fill({ bonus: 0, principal: 1_000 }));
      const [books] = await database.owner`
        select count(*)::int as entries, (select sum(done)::int from job_runs where merchant_id = ${merchantId}) as done
        from ledger_entries where merchant_id = ${merchantId} and kind = 'expiry'`;
      expect(books).toEqual({ entries: 2, done: 2 });
    };
    return { services: scene.services, work: expireValue, check };
  });
  expect(steps).toBeGreaterThan(8);
});

test('a connection cut in the middle of a batch leaves nothing of it', async () => {
  const scene = await createCampaignScene(database);
  const packageId = await createFixedPackage(database.owner, scene.merchant.id, {
    amount: 1_000,
    bonus: 200,
    bonus_expires_in_days: 1,
  });
  const till = await authenticateKey(scene.services, scene.merchant.stores[0].key);
  const [customerId = ''] = await scene.addCustomers(1);
  await topUp(till, { transactionId: 'one', customer: { customerId }, packageId });
  scene.moveTo('2026-12-20T04:00:00Z');
  let run: Promise<unknown> | undefined;
  await database.owner.begin(async (tx) => {
    await tx`lock table lots in share mode`;
    run = expireValue(scene.services).catch((error: unknown) => error);
    await expect
      .poll(async () => {
        const killed = await database.owner`
          select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock' and query like '%from_lots%'`;
        return killed.length;
      })
      .toBe(1);
  });
  expect(await run).toBeInstanceOf(Error);
  const bonus = async () =>
    (await database.owner`select bonus::int from balances where customer_id = ${customerId}`)[0]?.bonus;
  expect(await bonus()).toBe(200);
  const [failed] = await database.owner`
    select done, failures, error from job_runs where merchant_id = ${scene.merchant.id} order by id desc limit 1`;
  expect(failed).toEqual({ done: 0, failures: 1, error: 'unavailable' });
  await expireValue(scene.services);
  expect(await bonus()).toBe(0);
});

test('reminders and their sending: one per customer', async () => {
  const steps = await killAtEveryStep(async () => {
    const scene = await createNoticeScene(database);
    await scene.turnOn('value-expiring');
    const customerIds = await scene.addCustomers(2);
    await scene.issueTo(await scene.addCampaign({ validityDays: 5 }), customerIds);
    const merchantId = scene.merchant.id;
    const work = async (services: Services) => {
      await remindOfExpiryOf(services, { merchantId });
      await sendNotices(services, silentMessenger, merchantId);
    };
    const check = async () => {
      // The webhooks that a dead worker had taken are sent after its lease.
      scene.moveTo('2026-11-20T04:02:00Z');
      await sendNotices(scene.services, silentMessenger, merchantId);
      const told = (await scene.rows()).map((row) => `${row.customer_id} ${row.kind} ${row.state}`);
      expect(told.sort()).toEqual(customerIds.map((id) => `${id} value-expiring inbox`).sort());
    };
    return { services: scene.services, work, check };
  });
  expect(steps).toBeGreaterThan(20);
});
