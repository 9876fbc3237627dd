import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { queriesOn, type Tx, withMerchant } from '@/db/driver';
import { ownDatabase } from '@/db/testing/database';
import { createCampaignScene, fiveOff } from '@/server/testing/campaigns';
import { refusalOf } from '@/server/testing/menu';
import { addToDate } from '../kernel/calendar';
import { closeMerchant, openMerchant } from '../merchants';
import { allCustomers } from './campaign-schemas';
import { celebratedOn, readAnniversaries } from './celebrants';
import { continueIssue } from './issue-run';
import { beginOccasions } from './occasions';

const database = ownDatabase();
// The task runs for all merchants, and would have years of days to start for those of earlier tests.
afterEach(() => database.owner`update voucher_campaigns set paused_at = now() where paused_at is null`);

type Settings = Parameters<typeof createCampaignScene>[1];

/** Creates a merchant whose customers have birthdays and joining days. `run` runs the worker's task at a given time. */
async function createScene(settings?: Settings) {
  const scene = await createCampaignScene(database, settings);
  const { owner } = database;
  const add = async (columns: { birthday?: string; joined_at?: string }) => {
    const [id] = (await scene.addCustomers(1)) as [string];
    await owner`update customers set ${owner({ joined_at: '2020-06-15T04:00:00Z', ...columns })} where id = ${id}`;
    return id;
  };
  const workOff = async () => {
    const open = await owner`
      select id from voucher_issues where merchant_id = ${scene.merchant.id} and finished_at is null`;
    for (const { id } of open) await continueIssue(scene.services, { merchantId: scene.merchant.id, issueId: id });
  };
  const run = async (instant: string) => {
    scene.moveTo(instant);
    await beginOccasions(scene.services);
    await workOff();
  };
  /** Skips to a much later time without the days in between, each of which would have an issue. */
  const skipTo = async (campaignId: string, instant: string) => {
    await scene.call.campaigns.setPaused({ campaignId, isPaused: true });
    scene.moveTo(instant);
    await scene.call.campaigns.setPaused({ campaignId, isPaused: false });
  };
  const given = async (campaignId: string) =>
    (await scene.vouchersOf(campaignId)).map((row) => `${row.customer_id} ${row.occasion}`).sort();
  return { ...scene, add, run, skipTo, given };
}

describe('birthdays', () => {
  test('are celebrated on their day in the merchant’s time zone, once, however often it runs', async () => {
    const { addCampaign, add, run, skipTo, given } = await createScene({ at: '2026-11-20T04:00:00Z' });
    const campaignId = await addCampaign({ trigger: 'birthday' });
    const ada = await add({ birthday: '1990-11-22' });
    await add({ birthday: '1990-11-23' });
    await add({});
    await run('2026-11-21T15:59:59Z');
    expect(await given(campaignId)).toEqual([]);
    await run('2026-11-21T16:00:00Z');
    expect(await given(campaignId)).toEqual([`${ada} birthday 2026`]);
    await run('2026-11-21T16:05:00Z');
    await run('2026-11-22T15:59:59Z');
    expect(await given(campaignId)).toEqual([`${ada} birthday 2026`]);
    await skipTo(campaignId, '2027-11-20T16:00:00Z');
    await run('2027-11-21T16:00:00Z');
    expect(await given(campaignId)).toContain(`${ada} birthday 2027`);
  });

  test('without a year are celebrated each year', async () => {
    const { addCampaign, add, run, given, call } = await createScene({ at: '2026-11-20T04:00:00Z' });
    const campaignId = await addCampaign({ trigger: 'birthday' });
    const ada = await add({});
    const { customer, revision } = await call.customers.get({ customerId: ada });
    const { givenName, lastName, phone, email, tags } = customer;
    const edited = { givenName, lastName, phone, email, tags, birthday: '--11-22' };
    await call.customers.edit({ customerId: ada, ...edited, revision });
    await run('2026-11-21T16:00:00Z');
    expect(await given(campaignId)).toEqual([`${ada} birthday 2026`]);
  });

  test('missed while nothing ran are made up for, each once', async () => {
    const { addCampaign, add, run, given } = await createScene({ at: '2026-11-20T04:00:00Z' });
    const campaignId = await addCampaign({ trigger: 'birthday' });
    const days = ['11-19', '11-20', '11-25', '12-01'];
    const ids: string[] = [];
    for (const day of days) ids.push(await add({ birthday: `1985-${day}` }));
    await run('2026-12-01T04:00:00Z');
    expect(await given(campaignId)).toEqual(
      ids
        .slice(1)
        .map((id) => `${id} birthday 2026`)
        .sort(),
    );
  });

  test('missed for months are begun in several batches, each day once', async () => {
    const { addCampaign, services, moveTo } = await createScene({ at: '2026-01-01T04:00:00Z' });
    const campaignId = await addCampaign({ trigger: 'birthday' });
    moveTo('2026-09-07T04:00:00Z');
    await beginOccasions(services);
    const [issues] = await database.owner`
      select count(*)::int as count, count(distinct occasion_on)::int as days, min(occasion_on)::text, max(occasion_on)::text
      from voucher_issues where campaign_id = ${campaignId}`;
    expect(issues).toEqual({ count: 250, days: 250, min: '2026-01-01', max: '2026-09-07' });
  });

  test('with days in advance: near ones at once at the start, and across the end of the year', async () => {
    const { addCampaign, add, run, given } = await createScene({ at: '2026-12-29T04:00:00Z' });
    const campaignId = await addCampaign({ trigger: 'birthday', daysBefore: 7 });
    const near = await add({ birthday: '1990-12-31' });
    const next = await add({ birthday: '1990-01-05' });
    const later = await add({ birthday: '1990-01-06' });
    await add({ birthday: '1990-12-28' });
    await run('2026-12-29T04:00:00Z');
    expect(await given(campaignId)).toEqual([`${near} birthday 2026`, `${next} birthday 2027`].sort());
    await run('2026-12-30T04:00:00Z');
    expect(await given(campaignId)).toContain(`${later} birthday 2027`);
  });

  test('of 29 February are celebrated on 1 March in other years', async () => {
    const { addCampaign, add, run, skipTo, given } = await createScene({ at: '2027-02-27T04:00:00Z' });
    const campaignId = await addCampaign({ trigger: 'birthday' });
    const leap = await add({ birthday: '2000-02-29' });
    const march = await add({ birthday: '2000-03-01' });
    await run('2027-02-28T04:00:00Z');
    expect(await given(campaignId)).toEqual([]);
    await run('2027-03-01T04:00:00Z');
    expect(await given(campaignId)).toEqual([`${leap} birthday 2027`, `${march} birthday 2027`].sort());
    await skipTo(campaignId, '2028-02-28T04:00:00Z');
    await run('2028-02-29T04:00:00Z');
    expect(await given(campaignId)).toContain(`${leap} birthday 2028`);
    expect(await given(campaignId)).not.toContain(`${march} birthday 2028`);
  });

  test('are celebrated in a zone unknown to PostgreSQL, and all others, too', async () => {
    const [here, elsewhere] = [await createScene(), await createScene()];
    const met = [here, elsewhere].map(async ({ addCampaign, add }) => {
      const campaignId = await addCampaign({ trigger: 'birthday' });
      return { campaignId, customerId: await add({ birthday: '1990-11-22' }) };
    });
    const [ours, theirs] = await Promise.all(met);
    // To JavaScript this is Eastern Australia. PostgreSQL does not know it, as newer systems don't know Asia/Calcutta.
    await database.owner`update merchants set time_zone = 'AET' where id = ${elsewhere.merchant.id}`;
    await elsewhere.run('2026-11-21T12:59:59Z');
    expect(await elsewhere.given(theirs?.campaignId ?? '')).toEqual([]);
    await elsewhere.run('2026-11-21T13:00:00Z');
    expect(await elsewhere.given(theirs?.campaignId ?? '')).toEqual([`${theirs?.customerId} birthday 2026`]);
    await here.run('2026-11-21T16:00:00Z');
    expect(await here.given(ours?.campaignId ?? '')).toEqual([`${ours?.customerId} birthday 2026`]);
    await database.owner`update merchants set time_zone = 'UTC' where id = ${elsewhere.merchant.id}`;
  });

  test('are not made up for after a pause; started issues continue', async () => {
    const { addCampaign, add, run, given, call } = await createScene({ at: '2026-11-20T04:00:00Z' });
    const campaignId = await addCampaign({ trigger: 'birthday' });
    await add({ birthday: '1990-11-22' });
    const ada = await add({ birthday: '1990-11-25' });
    await call.campaigns.setPaused({ campaignId, isPaused: true });
    await run('2026-11-23T04:00:00Z');
    await call.campaigns.setPaused({ campaignId, isPaused: false });
    await run('2026-11-24T04:00:00Z');
    expect(await given(campaignId)).toEqual([]);
    await run('2026-11-25T04:00:00Z');
    expect(await given(campaignId)).toEqual([`${ada} birthday 2026`]);
  });

  test('are not made up for after the merchant was closed, unless they are still ahead', async () => {
    const { addCampaign, add, run, given, merchant, services, moveTo } = await createScene({
      at: '2026-11-20T04:00:00Z',
    });
    const onTheDay = await addCampaign({ trigger: 'birthday' });
    const ahead = await addCampaign({ trigger: 'birthday', daysBefore: 2 });
    await run('2026-11-20T04:00:00Z');
    const owner = queriesOn(database.owner);
    await closeMerchant(owner, merchant.id, services.systemClock.now());
    await add({ birthday: '1990-11-23' });
    const ada = await add({ birthday: '1990-11-24' });
    const bob = await add({ birthday: '1990-11-25' });
    await run('2026-11-23T04:00:00Z');
    // In the merchant's time zone it is the 24th.
    moveTo('2026-11-23T16:00:00Z');
    expect(await openMerchant(owner, services, merchant.id)).toBe(true);
    await run('2026-11-23T16:00:00Z');
    expect(await given(onTheDay)).toEqual([`${ada} birthday 2026`]);
    expect(await given(ahead)).toEqual([ada, bob].map((id) => `${id} birthday 2026`).sort());
    await run('2026-11-24T16:00:00Z');
    expect(await given(onTheDay)).toEqual([ada, bob].map((id) => `${id} birthday 2026`).sort());
  });

  test('started and issued by several workers at once are celebrated once', async () => {
    const { addCampaign, add, given, services, moveTo, merchant } = await createScene({ at: '2026-11-20T04:00:00Z' });
    const campaignId = await addCampaign({ trigger: 'birthday' });
    const ids = await Promise.all(Array.from({ length: 5 }, () => add({ birthday: '1990-11-22' })));
    moveTo('2026-11-22T04:00:00Z');
    await Promise.all([1, 2, 3].map(() => beginOccasions(services)));
    const open = await database.owner`select id from voucher_issues where campaign_id = ${campaignId}`;
    expect(open).toHaveLength(3);
    const key = (id: string) => ({ merchantId: merchant.id, issueId: id });
    await Promise.all([...open, ...open].map(({ id }) => continueIssue(services, key(id))));
    expect(await given(campaignId)).toEqual(ids.map((id) => `${id} birthday 2026`).sort());
  });
});

test('a campaign whose trigger changes misses none of its new days, though the old trigger had the same', async () => {
  const { addCampaign, updateCampaign, add, run, given } = await createScene({ at: '2026-11-20T04:00:00Z' });
  const birthday = { ...fiveOff, trigger: 'birthday', daysBefore: 7 } as const;
  const campaignId = await addCampaign(birthday);
  const ada = await add({ birthday: '1990-11-22', joined_at: '2020-11-25T04:00:00Z' });
  await run('2026-11-20T04:00:00Z');
  await updateCampaign(campaignId, { ...birthday, trigger: 'anniversary' });
  await run('2026-11-20T05:00:00Z');
  expect(await given(campaignId)).toEqual([`${ada} anniversary 2026`, `${ada} birthday 2026`]);
  await updateCampaign(campaignId, { ...fiveOff, trigger: 'seasonal', seasonalOn: '2026-11-24' });
  await run('2026-11-24T04:00:00Z');
  expect(await given(campaignId)).toContain(`${ada} seasonal 2026-11-24`);
  // Changed back. Customers with a voucher get no other.
  await updateCampaign(campaignId, birthday);
  await run('2026-11-24T05:00:00Z');
  expect(await given(campaignId)).toHaveLength(3);
});

describe('anniversaries', () => {
  test('are of the joining day by the merchant’s days, from the following year on', async () => {
    const { addCampaign, add, run, skipTo, given } = await createScene({ at: '2026-11-20T04:00:00Z' });
    const campaignId = await addCampaign({ trigger: 'anniversary' });
    const early = await add({ joined_at: '2020-11-21T16:30:00Z' });
    await add({ joined_at: '2020-11-21T15:30:00Z' });
    await add({ joined_at: '2026-11-22T01:00:00Z' });
    await run('2026-11-22T04:00:00Z');
    expect(await given(campaignId)).toContain(`${early} anniversary 2026`);
    expect(await given(campaignId)).toHaveLength(2);
    await skipTo(campaignId, '2027-11-21T04:00:00Z');
    await run('2027-11-22T04:00:00Z');
    expect(await given(campaignId)).toHaveLength(5);
  });

  test('of 29 February are celebrated on 1 March in other years', async () => {
    const { addCampaign, add, run, given } = await createScene({ at: '2026-02-27T04:00:00Z' });
    const campaignId = await addCampaign({ trigger: 'anniversary' });
    const leap = await add({ joined_at: '2024-02-29T04:00:00Z' });
    await run('2026-02-28T04:00:00Z');
    expect(await given(campaignId)).toEqual([]);
    await run('2026-03-01T04:00:00Z');
    expect(await given(campaignId)).toEqual([`${leap} anniversary 2026`]);
  });

  test('of many who joined at one moment, and of the next day and year, are issued once in parts', async () => {
    const { merchant, addCustomers, add } = await createScene();
    const sameMoment = await addCustomers(5);
    const customerIds = [...sameMoment, await add({ joined_at: '2018-11-22T04:00:00Z' })];
    await database.owner`
      update customers set joined_at = '2020-11-21T16:00:00Z' where id = any(${sameMoment}::uuid[])`;
    customerIds.push(await add({ joined_at: '2020-11-21T16:00:00.000001Z' }));
    customerIds.push(
      await add({ joined_at: '2021-11-21T16:00:00Z' }),
      await add({ joined_at: '2021-11-22T15:59:59Z' }),
    );
    await add({ joined_at: '2020-11-22T16:00:00Z' });
    const found: string[] = [];
    for (let after: string | null | undefined; after !== null; ) {
      const part = { after: after ?? null, take: 2, days: { timeZone: 'Asia/Singapore', dayStartsAt: 0 } };
      const batch = await withMerchant(database.db, merchant.id, (tx) => readAnniversaries(tx, '2026-11-22', part));
      found.push(...batch.customerIds);
      after = batch.last;
    }
    expect(found.sort()).toEqual(customerIds.sort());
  });

  test('of many who joined on one day are read in parts, not the whole day for each', async () => {
    const { merchant } = await createScene();
    const { owner } = database;
    await owner`
      insert into customers (merchant_id, id, given_name, last_name, joined_at)
      select ${merchant.id}, gen_random_uuid(), 'Ann', 'Lee', '2020-11-22T04:00:00Z' from generate_series(1, 3000)`;
    await owner`analyze customers`;
    const rowsRead = async ({ db }: Tx) => {
      const rows = sql<number>`(idx_tup_fetch + seq_tup_read)::int`;
      const [row] = await db.select({ rows }).from(sql`pg_stat_xact_user_tables`).where(sql`relname = 'customers'`);
      return row?.rows as number;
    };
    const read = (after: string | null) =>
      withMerchant(database.db, merchant.id, async (tx) => {
        // The connection may not have reported its earlier reads yet.
        const before = await rowsRead(tx);
        const batch = await readAnniversaries(tx, '2026-11-22', {
          after,
          take: 100,
          days: { timeZone: 'Asia/Singapore', dayStartsAt: 0 },
        });
        return { ...batch, rows: (await rowsRead(tx)) - before };
      });
    let after: string | null = null;
    for (let part = 1; part <= 15; part++) {
      const batch: Awaited<ReturnType<typeof read>> = await read(after);
      expect(batch.customerIds).toHaveLength(100);
      expect(batch.rows).toBeLessThan(150);
      after = batch.last;
    }
  });
});

describe('a seasonal campaign', () => {
  test('issues on its day to its segment, once, also if that was missed', async () => {
    const { addCampaign, add, run, given } = await createScene({ at: '2026-01-20T04:00:00Z' });
    const segment = { ...allCustomers, joinedBefore: '2026-01-01' };
    const campaignId = await addCampaign({ trigger: 'seasonal', seasonalOn: '2026-12-24', segment });
    const ada = await add({});
    await add({ joined_at: '2026-11-01T04:00:00Z' });
    await run('2026-12-23T15:59:59Z');
    expect(await given(campaignId)).toEqual([]);
    await run('2026-12-26T04:00:00Z');
    await run('2026-12-27T04:00:00Z');
    expect(await given(campaignId)).toEqual([`${ada} seasonal 2026-12-24`]);
  });

  test('can’t be set for a past day', async () => {
    const { addCampaign } = await createScene({ at: '2026-11-20T16:00:00Z' });
    const past = addCampaign({ trigger: 'seasonal', seasonalOn: '2026-11-20' });
    expect(await refusalOf(past)).toEqual({ code: 'invalid_request', paths: ['seasonalOn'] });
    await addCampaign({ trigger: 'seasonal', seasonalOn: '2026-11-21' });
  });

  test('that has ended, or is archived, issues nothing', async () => {
    const { addCampaign, add, run, given, call } = await createScene({ at: '2026-11-20T04:00:00Z' });
    await add({});
    const seasonal = { trigger: 'seasonal', seasonalOn: '2026-11-22' } as const;
    const over = await addCampaign({ ...seasonal, validUntil: '2026-11-22' });
    const archived = await addCampaign(seasonal);
    await call.campaigns.setArchived({ campaignId: archived, isArchived: true });
    await run('2026-11-23T04:00:00Z');
    expect([await given(over), await given(archived)]).toEqual([[], []]);
  });
});

test('every birthday is celebrated on exactly one day of every year', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1900, max: 2200 }), fc.integer({ min: 0, max: 365 }), (year, at) => {
      const born = addToDate('2000-01-01', at).slice(5);
      let celebrated = 0;
      for (let day = `${year}-01-01`; day.startsWith(String(year)); day = addToDate(day, 1)) {
        if (celebratedOn(day).includes(born)) celebrated += 1;
      }
      expect(celebrated).toBe(1);
    }),
    { numRuns: 100 },
  );
});
