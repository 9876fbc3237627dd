/**
 * A merchant has one midnight, at the hour that its day starts, by PostgreSQL's time zone data. Lists, reports and CSV files:
 * `server/csv/days.test.ts`.
 */
import { afterEach, describe, expect, test } from 'vitest';
import { ownDatabase } from '@/db/testing/database';
import { printLetter } from '@/server/gateways/letters';
import { createCampaignScene } from '@/server/testing/campaigns';
import { createFixedPackage, type MerchantSettings } from '@/server/testing/factory';
import { callAs, createStaff } from '@/server/testing/staff';
import { authenticateKey } from '../domain/access/authenticate';
import { balancesById } from '../domain/customers/balances';
import { enrolCustomer } from '../domain/customers/enrol';
import { newId } from '../domain/kernel/ids';
import { expireValueOf } from '../domain/ledger/expire';
import { listSandboxMails } from '../domain/mail';
import { sendDailySummaries } from '../domain/reports/daily-summary';
import { submitSale } from '../domain/sales/submit';
import { listStockOuts } from '../domain/stock-outs/stock-outs';
import { listPackages } from '../domain/stored-value';
import { topUp } from '../domain/top-ups/top-up';
import { continueIssue } from '../domain/vouchers/issue-run';
import { beginOccasions } from '../domain/vouchers/occasions';
import { redeemVoucher } from '../domain/vouchers/redeem';

const database = ownDatabase();
// Tasks run for all merchants of a database.
afterEach(() => database.owner`update merchants set closed_at = now() where closed_at is null`);

/** Since 2026-11-01, PostgreSQL has -07:00 in Vancouver, and Node 20 -08:00. A time zone, when its day starts, its offset. */
const merchants = [
  ['America/Vancouver', 0, '-07:00'],
  ['America/Vancouver', 5, '-07:00'],
  ['Asia/Singapore', 5, '+08:00'],
] as const;

let serial = 0;
const newPhone = () => `+659${4_000_000 + ++serial}`;

describe.each(merchants)('in %s, where days start at %i:00 (%s)', (time_zone, startsAt, offset) => {
  const startOf = (date: string) => new Date(`${date}T0${startsAt}:00:00${offset}`).getTime();
  /** What is valid for a day ends with its last millisecond, so that this is the last one at which it is valid. */
  const endOf = (date: string) => startOf(new Date(Date.parse(date) + 86_400_000).toISOString().slice(0, 10)) - 2;

  async function createScene(settings: MerchantSettings = {}) {
    const { owner } = database;
    const at = new Date(startOf('2026-11-20')).toISOString();
    const scene = await createCampaignScene(database, { at, ...settings, time_zone, day_starts_at: startsAt });
    const { merchant, services } = scene;
    const [customerId = ''] = await scene.addCustomers(1);
    const moveTo = (ms: number) => scene.moveTo(new Date(ms).toISOString());
    const till = () => authenticateKey(services, merchant.stores[0].key);
    const packageId = await createFixedPackage(owner, merchant.id, {
      amount: 1_000,
      bonus: 200,
      bonus_expires_in_days: 3,
    });
    const customer = { customerId };
    const pay = async () => topUp(await till(), { transactionId: newId(), customer, packageId });
    const sell = async () =>
      submitSale(await till(), {
        transactionId: newId(),
        customer,
        closedAt: services.clock.now().toISOString(),
        lines: [{ plu: 'A', name: 'A', quantity: 1, unitPrice: 1_000, amount: 1_000 }],
        subtotal: 1_000,
        discount: 0,
        serviceCharge: 0,
        tax: 0,
        total: 1_000,
        payments: [{ method: 'cash', amount: 1_000 }],
      });
    const held = async () => balancesById(await till(), customerId);
    return { ...scene, owner, customerId, moveTo, till, packageId, pay, sell, held };
  }

  const earning = { earn_points: 1, earn_per_amount: 100 };
  const limits: [string, MerchantSettings, 'sell' | 'pay'][] = [
    ['points of a customer', { ...earning, customer_daily_points: 10 }, 'sell'],
    ['points from a key', { ...earning, key_daily_points: 10 }, 'sell'],
    ['value of a customer', { customer_daily_value: 1_200 }, 'pay'],
    ['value from a key', { key_daily_value: 1_200 }, 'pay'],
  ];
  test.each(limits)('%s: a limit holds until the day ends, and no longer', async (_, settings, give) => {
    const { moveTo, ...scene } = await createScene(settings);
    const outcome = () =>
      scene[give]().then(
        () => 'given',
        ({ code }) => code,
      );
    const outcomes: string[] = [];
    for (const ms of [startOf('2026-11-30'), endOf('2026-11-30'), startOf('2026-12-01'), endOf('2026-12-01')]) {
      moveTo(ms);
      outcomes.push(await outcome());
    }
    expect(outcomes).toEqual(['given', 'limit_exceeded', 'given', 'limit_exceeded']);
  });

  test('limits of a member of staff and of sign-ups hold until the day ends; the refusal says when', async () => {
    const scene = await createScene({ cashier_daily_enrolments: 1, key_daily_sign_ups: 1 });
    const { moveTo, owner, services, merchant } = scene;
    await scene.addCampaign({ trigger: 'join' });
    const cashier = await createStaff(owner, services, merchant.id, 'cashier');
    const enrol = () =>
      callAs(cashier)
        .customers.enrol({ givenName: 'A', lastName: '', phone: newPhone(), email: null, birthday: null, tags: [] })
        .then(
          () => 'enrolled',
          ({ cause }) => cause,
        );
    const signUp = async () => {
      const customer = { givenName: 'A', lastName: 'B', phone: newPhone() };
      return (await enrolCustomer(await scene.till(), customer)).vouchersIssued.length;
    };
    for (const date of ['2026-11-30', '2026-12-01']) {
      moveTo(startOf(date));
      expect([await enrol(), await signUp()]).toEqual(['enrolled', 1]);
      moveTo(endOf(date));
      const refused = await enrol();
      expect([refused.code, await signUp()]).toEqual(['limit_exceeded', 0]);
      expect(refused.message).toContain(`The next day starts at 0${startsAt}:00.`);
      expect(new Date(refused.details.resetsAt).getTime()).toBe(endOf(date) + 2);
    }
  });

  test('points and bonus count to the end of their last day', async () => {
    const { moveTo, pay, sell, held, services, merchant } = await createScene({ ...earning, points_expiry_months: 1 });
    moveTo(endOf('2026-11-30'));
    await pay();
    await sell();
    moveTo(startOf('2026-12-01'));
    await pay();
    await sell();
    const at = async (ms: number) => {
      moveTo(ms);
      await expireValueOf(services, { merchantId: merchant.id });
      const { points, storedValue } = await held();
      return [storedValue.bonus, points.balance];
    };
    expect(await at(endOf('2026-12-03'))).toEqual([400, 20]);
    expect(await at(startOf('2026-12-04'))).toEqual([200, 20]);
    expect(await at(endOf('2026-12-04'))).toEqual([200, 20]);
    expect(await at(startOf('2026-12-05'))).toEqual([0, 20]);
    expect(await at(endOf('2026-12-31'))).toEqual([0, 20]);
    expect(await at(startOf('2027-01-01'))).toEqual([0, 10]);
    expect(await at(endOf('2027-01-31'))).toEqual([0, 10]);
    expect(await at(startOf('2027-02-01'))).toEqual([0, 0]);
  });

  test('vouchers and packages are valid from the start of their first day to the end of their last', async () => {
    const { moveTo, till, customerId, ...scene } = await createScene();
    const days = { validFrom: '2026-12-01', validUntil: '2026-12-01', stackable: true };
    const [ofDays, forDays] = [await scene.addCampaign(days), await scene.addCampaign({ validityDays: 1 })];
    for (const campaignId of [ofDays, ofDays, ofDays, ofDays, forDays, forDays])
      await scene.issueTo(campaignId, [customerId]);
    const manager = await createStaff(scene.owner, scene.services, scene.merchant.id, 'owner');
    await callAs(manager).packages.create({
      kind: 'fixed',
      name: 'Advent',
      translations: {},
      amount: 100,
      bonusAmount: 0,
      bonusExpiresInDays: null,
      allStores: true,
      storeIds: [],
      validFrom: '2026-12-01',
      validUntil: '2026-12-01',
    });
    const offered = async () => {
      const { packages } = await listPackages(await till(), { storeCode: scene.merchant.stores[0].storeCode });
      return packages.some(({ name }) => name === 'Advent');
    };
    const redeem = async (campaignId: string, n: number) => {
      const { voucher_code: voucherCode } = (await scene.vouchersOf(campaignId))[n] as { voucher_code: string };
      const request = {
        transactionId: newId(),
        customer: { customerId },
        voucherCode,
        bill: { billId: newId(), amount: 5_000 },
      };
      return redeemVoucher(await till(), request).then(
        () => 'redeemed',
        ({ code }) => code,
      );
    };
    moveTo(endOf('2026-11-20') + 86_400_000);
    expect(await redeem(forDays, 0)).toBe('redeemed');
    moveTo(startOf('2026-11-22'));
    expect(await redeem(forDays, 1)).toBe('voucher_expired');
    const outcomes: unknown[] = [];
    for (const [n, ms] of [
      endOf('2026-11-30'),
      startOf('2026-12-01'),
      endOf('2026-12-01'),
      startOf('2026-12-02'),
    ].entries()) {
      moveTo(ms);
      outcomes.push([await redeem(ofDays, n), await offered()]);
    }
    expect(outcomes).toEqual([
      ['voucher_not_applicable', false],
      ['redeemed', true],
      ['redeemed', true],
      ['voucher_expired', false],
    ]);
  });

  test('birthdays, anniversaries and seasonal days begin with their day', async () => {
    const { moveTo, owner, customerId, services, merchant, ...scene } = await createScene();
    const joined = new Date(`2024-12-01T0${startsAt}:00:00${time_zone === 'Asia/Singapore' ? '+08:00' : '-08:00'}`);
    const [earlierId = ''] = await scene.addCustomers(1);
    const join = (id: string, at: Date) =>
      owner`update customers set joined_at = ${at}, birthday = '2000-12-01' where id = ${id}`;
    await join(customerId, joined);
    await join(earlierId, new Date(joined.getTime() - 1));
    const campaigns = [
      await scene.addCampaign({ trigger: 'birthday' }),
      await scene.addCampaign({ trigger: 'anniversary' }),
      await scene.addCampaign({ trigger: 'seasonal', seasonalOn: '2026-12-01' }),
    ];
    await beginOccasions(services);
    await owner`update voucher_campaigns set occasions_through = '2026-11-30' where merchant_id = ${merchant.id}`;
    const issued = async (ms: number) => {
      moveTo(ms);
      await beginOccasions(services);
      const open = await owner`
        select id from voucher_issues where merchant_id = ${merchant.id} and finished_at is null`;
      for (const { id } of open) await continueIssue(services, { merchantId: merchant.id, issueId: id });
      return Promise.all(
        campaigns.map(async (id) => (await scene.vouchersOf(id)).map((voucher) => voucher.customer_id).sort()),
      );
    };
    const both = [customerId, earlierId].sort();
    expect(await issued(endOf('2026-11-30') + 1)).toEqual([[], [], []]);
    expect(await issued(startOf('2026-12-01'))).toEqual([both, [customerId], both]);
  });

  test('the daily summary is sent when the day ends, with its sales; Home begins anew', async () => {
    const { moveTo, sell, services, staff, call } = await createScene();
    moveTo(startOf('2026-11-30'));
    await call.reports.setDailySummary({ isOn: true, language: 'en' });
    await sell();
    const mails = async () => {
      await sendDailySummaries(services);
      const all = await listSandboxMails(services);
      return all
        .filter(({ recipient }) => recipient === staff.staff.email)
        .map(({ letter }) => printLetter(letter))
        .map(({ subject, lines }) => [
          subject.match(/\d+ \w+ 2026/)?.[0],
          lines.find((line) => line.startsWith('Number of sales')),
        ]);
    };
    moveTo(endOf('2026-11-30') + 1);
    await sell();
    expect(await mails()).toEqual([]);
    expect((await call.home.figures()).today.saleCount).toBe(2);
    moveTo(startOf('2026-12-01'));
    await sell();
    expect(await mails()).toEqual([['30 November 2026', 'Number of sales: 2']]);
    const { today, days } = await call.home.figures();
    expect([today.saleCount, days.slice(-2).map(({ day, sales }) => [day, sales])]).toEqual([
      1,
      [
        ['2026-11-30', 2_000],
        ['2026-12-01', 1_000],
      ],
    ]);
  });

  test('sold out until tomorrow ends with the day', async () => {
    const { moveTo, till, call, merchant } = await createScene();
    const items = [{ storeId: merchant.stores[0].id, plu: 'N001', until: 'tomorrow' as const }];
    const soldOut = async (ms: number) => {
      moveTo(ms);
      return (await listStockOuts(await till(), { limit: 10 })).items.length;
    };
    moveTo(endOf('2026-11-30') + 1);
    await call.stockOuts.mark({ items });
    expect([await soldOut(endOf('2026-11-30') + 1), await soldOut(startOf('2026-12-01'))]).toEqual([1, 0]);
    await call.stockOuts.mark({ items });
    expect([await soldOut(endOf('2026-12-01') + 1), await soldOut(startOf('2026-12-02'))]).toEqual([1, 0]);
  });
});
