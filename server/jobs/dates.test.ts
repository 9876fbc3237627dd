/** Scheduled work, for any times of the worker's runs and any time zone of the merchant. */
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { ownDatabase } from '@/db/testing/database';
import { createCampaignScene } from '@/server/testing/campaigns';
import { instant, zone } from '@/server/testing/dates';
import { createFixedPackage } from '@/server/testing/factory';
import { authenticateKey } from '../domain/access/authenticate';
import { balancesById } from '../domain/customers/balances';
import { addToDate, dateIn, startOfDate } from '../domain/kernel/calendar';
import { expireValueOf } from '../domain/ledger/expire';
import { verifyLedger } from '../domain/ledger/verify';
import { topUp } from '../domain/top-ups/top-up';
import { continueIssue } from '../domain/vouchers/issue-run';
import { beginOccasionsOf } from '../domain/vouchers/occasions';

const database = ownDatabase();
afterAll(async () => {
  expect(await verifyLedger(database.owner)).toEqual([]);
});

const hourMs = 60 * 60_000;
const isLeapYear = (year: number) => new Date(Date.UTC(year, 1, 29)).getUTCDate() === 29;

/** When a calendar day (`MM-DD`) is celebrated in a year. */
const celebrationOf = (day: string, year: number) =>
  day === '02-29' && !isLeapYear(year) ? `${year}-03-01` : `${year}-${day}`;

interface Looks {
  zone: string;
  start: Date;
  daysBefore: number;
  /** The hours between the worker's runs. */
  pauses: number[];
}

const looks = fc.record<Looks>({
  zone,
  start: instant,
  daysBefore: fc.integer({ min: 0, max: 14 }),
  pauses: fc.array(fc.integer({ min: 0, max: 15 * 24 }), { minLength: 1, maxLength: 4 }),
});

test('each birthday and anniversary of the past days has one voucher, whenever the worker ran', async () => {
  await fc.assert(
    fc.asyncProperty(looks, fc.constantFrom('birthday', 'anniversary'), async (given, trigger) => {
      const { start, daysBefore, pauses } = given;
      const scene = await createCampaignScene(database, { at: start.toISOString(), time_zone: given.zone });
      const campaignId = await scene.addCampaign({ trigger: trigger as 'birthday', daysBefore });
      const first = dateIn({ timeZone: given.zone, dayStartsAt: 0 }, start);
      // Each customer has another birthday, from before the start until long after the end; one has the leap day.
      const days = Array.from({ length: 20 }, (_, n) => addToDate(first, n * 4 - 3).slice(5)).concat('02-29');
      const customerIds = await scene.addCustomers(days.length);
      const joined = days.map(
        (day) => new Date(startOfDate(`2016-${day}`, { timeZone: given.zone, dayStartsAt: 0 }).getTime() + hourMs),
      );
      await database.owner`
        update customers c set birthday = ('2000-' || d.day)::date, joined_at = d.joined
        from unnest(${customerIds}::uuid[], ${days}::text[], ${joined.map((at) => at.toISOString())}::timestamptz[]) d (id, day, joined)
        where c.id = d.id`;

      let now = start.getTime();
      for (const hours of pauses) {
        now += hours * hourMs;
        scene.moveTo(new Date(now).toISOString());
        await beginOccasionsOf(scene.services, { merchantId: scene.merchant.id });
        const open = await database.owner`
          select id from voucher_issues where merchant_id = ${scene.merchant.id} and finished_at is null`;
        for (const { id } of open) await continueIssue(scene.services, { merchantId: scene.merchant.id, issueId: id });
      }

      const last = addToDate(dateIn({ timeZone: given.zone, dayStartsAt: 0 }, new Date(now)), daysBefore);
      const years = [Number(first.slice(0, 4)), Number(last.slice(0, 4))];
      const expected = customerIds.flatMap((customerId, n) =>
        [...new Set(years)]
          .filter((year) => {
            const day = celebrationOf(days[n] as string, year);
            return first <= day && day <= last;
          })
          .map((year) => `${customerId} ${trigger} ${year}`),
      );
      const issued = (await scene.vouchersOf(campaignId)).map((row) => `${row.customer_id} ${row.occasion}`);
      expect(issued.sort()).toEqual(expected.sort());
    }),
    { numRuns: 12 },
  );
}, 180_000);

test('bonus counts to the last moment of its last day, and no longer', async () => {
  await fc.assert(
    fc.asyncProperty(zone, instant, fc.integer({ min: 1, max: 400 }), async (timeZone, at, days) => {
      const scene = await createCampaignScene(database, { at: at.toISOString(), time_zone: timeZone });
      const merchantId = scene.merchant.id;
      const packageId = await createFixedPackage(database.owner, merchantId, {
        amount: 1_000,
        bonus: 200,
        bonus_expires_in_days: days,
      });
      const [customerId = ''] = await scene.addCustomers(1);
      const till = () => authenticateKey(scene.services, scene.merchant.stores[0].key);
      await topUp(await till(), { transactionId: 'one', customer: { customerId }, packageId });
      const over = startOfDate(addToDate(dateIn({ timeZone, dayStartsAt: 0 }, at), days + 1), {
        timeZone,
        dayStartsAt: 0,
      }).getTime();
      const lookAt = async (ms: number) => {
        scene.moveTo(new Date(ms).toISOString());
        return (await balancesById(await till(), customerId)).storedValue.bonus;
      };
      // It expires with the last millisecond of the day.
      expect(await lookAt(over - 2)).toBe(200);
      expect(await expireValueOf(scene.services, { merchantId })).toBe(0);
      expect(await lookAt(over)).toBe(0);
      expect(await expireValueOf(scene.services, { merchantId })).toBe(1);
      expect(await lookAt(over)).toBe(0);
    }),
    { numRuns: 25 },
  );
});
