/**
 * How payment methods end, as docs/stripe.md lists them from Stripe's pages: at once on the page, or hours or days later. Each
 * way is tried here, since Stripe reports both alike for all methods.
 */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openPaidTable } from '@/server/testing/bill-payments';
import { callAs, createStaff } from '@/server/testing/staff';
import { topUpStage } from '@/server/testing/top-ups';
import { authenticateKey } from '../access/authenticate';
import { balancesByPhone } from '../customers/balances';
import { getAccount } from '../diners';
import { cancelTopUp, checkTopUp, settleOverdueTopUps } from './change';
import { settleTopUp } from './settle';
import { getTopUpRequest } from './view';

const stage = topUpStage();
const dayMs = 24 * 60 * 60_000;

/** The rows of the table in the operator's page: a method, and whether it ends later. */
const methods = readFileSync('docs/stripe.md', 'utf8')
  .split('\n')
  .filter((line) => /^\| [A-Z].*\| (at once|later)\b/.test(line))
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([, name, type, ends]) => ({ name, type: type?.replaceAll('`', '') ?? '', isLater: ends?.startsWith('later') }));

test('the table has the methods of our countries', () => {
  const names = ['Cards', 'PayNow', 'PromptPay', 'GrabPay', 'WeChat Pay', 'Alipay', 'Konbini', 'SEPA Direct Debit'];
  expect(methods.map(({ name }) => name)).toEqual(expect.arrayContaining(names));
});

test.each(methods)(
  '$name: a bill offers it only if it ends at once, a top-up in any case',
  async ({ type, isLater }) => {
    const { begin } = await openPaidTable(stage, 1_000);
    const { session } = await begin();
    expect(session.excluded.includes(type)).toBe(isLater);
    const { beginByCard } = await stage.scene();
    expect((await beginByCard()).session.excluded).toEqual([]);
  },
);

/** A top-up of 100.00 and 20.00, and all who can see it. */
async function createScene() {
  const scene = await stage.scene();
  const { ctx, merchant, customer } = scene;
  const { session, ...asked } = await scene.beginByCard();
  const till = await authenticateKey(ctx, merchant.stores[0].key);
  const staff = await createStaff(stage.owner, ctx, merchant.id, 'manager');
  const inProgress = async () => {
    const diner = { merchant: ctx.merchant, customerId: customer.id, verifiedAt: new Date() };
    const all = await Promise.all([
      balancesByPhone(till, { phone: customer.phone as string }),
      getAccount(ctx, diner as never),
      callAs(staff).customers.get({ customerId: customer.id }),
    ]);
    const [first, ...others] = all.map(({ topUpsInProgress }) => topUpsInProgress);
    for (const other of others) expect(other).toEqual(first);
    return first;
  };
  return { ...scene, session, asked, inProgress };
}

test('a method that ends at once is credited at once, and is never in progress', async () => {
  const { ctx, session, asked, balance, inProgress } = await createScene();
  expect(await inProgress()).toEqual([]);
  stage.stripe.pay(session.id);
  expect(await checkTopUp(ctx, asked)).toMatchObject({ state: 'credited' });
  expect(await inProgress()).toEqual([]);
  expect(await balance()).toEqual({ principal: 10_000, bonus: 2_000 });
});

test('a debit that ends later is seen by customer, till and staff until the bank has paid', async () => {
  const { ctx, session, asked, balance, inProgress } = await createScene();
  stage.stripe.pay(session.id, 'processing');
  await Promise.all([settleTopUp(ctx, asked), settleTopUp(ctx, asked)]);
  expect(await inProgress()).toEqual([{ amount: 10_000, bonus: 2_000, startedAt: expect.any(String), endsBy: null }]);
  expect(await checkTopUp(ctx, asked)).toMatchObject({ state: 'processing', checkoutUrl: null, processingUntil: null });
  expect(await balance()).toEqual({ principal: 0, bonus: 0 });
  // It can't be cancelled any more, nor does it expire with its page.
  expect(await cancelTopUp(ctx, asked)).toMatchObject({ state: 'processing' });
  stage.travel(9 * dayMs);
  await settleOverdueTopUps(ctx);
  expect(await getTopUpRequest(ctx, asked)).toMatchObject({ state: 'processing' });
  stage.stripe.conclude(session.id, 'paid');
  await settleTopUp(ctx, asked);
  expect(await getTopUpRequest(ctx, asked)).toMatchObject({ state: 'credited' });
  expect(await inProgress()).toEqual([]);
  expect(await balance()).toEqual({ principal: 10_000, bonus: 2_000 });
});

test('a slip for a shop says until when, and ends if nobody pays it', async () => {
  const { ctx, session, asked, balance, inProgress } = await createScene();
  const until = new Date(Math.ceil((ctx.systemClock.now().getTime() + 3 * dayMs) / 1_000) * 1_000);
  stage.stripe.pay(session.id, until);
  await settleTopUp(ctx, asked);
  expect(await inProgress()).toMatchObject([{ amount: 10_000, endsBy: until.toISOString() }]);
  expect(await getTopUpRequest(ctx, asked)).toMatchObject({
    state: 'processing',
    processingUntil: until.toISOString(),
  });
  stage.stripe.conclude(session.id, 'failed');
  await settleTopUp(ctx, asked);
  expect(await getTopUpRequest(ctx, asked)).toMatchObject({ state: 'failed' });
  expect(await inProgress()).toEqual([]);
  expect(await balance()).toEqual({ principal: 0, bonus: 0 });
});
