/** An owner takes a merge apart, and a merged phone is removed as a way to sign in. */
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { ownDatabase } from '@/db/testing/database';
import { createCustomer, createFixedPackage, createMerchant, testServices } from '@/server/testing/factory';
import { createCampaign, createVoucher } from '@/server/testing/factory-ordering';
import { refusalOf } from '@/server/testing/menu';
import { createNoticeScene } from '@/server/testing/notices';
import { callAs, createStaff } from '@/server/testing/staff';
import { authenticateKey } from '../access/authenticate';
import type { PosContext } from '../kernel/context';
import { newId } from '../kernel/ids';
import { verifyLedger } from '../ledger/verify';
import { redeemStoredValue } from '../stored-value/redeem';
import { topUp } from '../top-ups/top-up';
import { voidTransactions } from '../transactions/void';
import { redeemVoucher } from '../vouchers/redeem';
import { balancesByPhone } from './balances';

const database = ownDatabase();
let now: Date;
let stage: Awaited<ReturnType<typeof newStage>>;

async function newStage() {
  const { owner, db } = database;
  now = new Date('2026-03-10T02:00:00Z');
  const services = testServices(db, { now: () => now });
  const merchant = await createMerchant(owner);
  const boss = callAs(await createStaff(owner, services, merchant.id, 'owner')).customers;
  const manager = callAs(await createStaff(owner, services, merchant.id, 'manager')).customers;
  const pos: PosContext = await authenticateKey(services, merchant.stores[0].key);
  const packageId = await createFixedPackage(owner, merchant.id, {
    amount: 1_000,
    bonus: 200,
    bonus_expires_in_days: 3,
  });
  const [kept, merged] = [await createCustomer(owner, merchant.id), await createCustomer(owner, merchant.id)];
  const fill = async ({ id }: { id: string }, transactionId: string = newId()) => {
    await topUp({ ...pos }, { transactionId, customer: { customerId: id }, packageId });
    return transactionId;
  };
  const spend = async ({ id }: { id: string }, amount: number, transactionId: string = newId()) => {
    await redeemStoredValue({ ...pos }, { transactionId, customer: { customerId: id }, amount });
    return transactionId;
  };
  const held = async ({ id }: { id: string }) => {
    const { storedValue } = await boss.get({ customerId: id });
    return [storedValue.principal, storedValue.bonus];
  };
  const merge = () => boss.merge({ keptId: kept.id, mergedId: merged.id });
  const undo = () => boss.undoMerge({ mergedId: merged.id });
  return { owner, services, merchant, boss, manager, pos, kept, merged, fill, spend, held, merge, undo };
}

beforeEach(async () => {
  stage = await newStage();
});
afterAll(async () => {
  expect(await verifyLedger(database.owner)).toEqual([]);
});

describe('undoing a merge', () => {
  test('gives back value, vouchers, notes and contact details, and leaves what came since', async () => {
    const { owner, merchant, boss, pos, kept, merged, fill, spend, held, merge, undo } = stage;
    await fill(kept);
    await fill(merged);
    await spend(merged, 300);
    await owner`update customers set email = null, birthday = null where id = ${kept.id}`;
    const campaignId = await createCampaign(owner, merchant.id);
    const code = await createVoucher(owner, merchant.id, { campaignId, customerId: merged.id });
    await boss.addNote({ customerId: merged.id, text: 'Allergic to nuts' });
    const before = [await boss.get({ customerId: kept.id }), await boss.get({ customerId: merged.id })] as const;
    await merge();
    await fill(kept);
    expect((await boss.get({ customerId: kept.id })).customer.email).toBe(merged.email);
    await undo();
    await undo();
    expect(await held(kept)).toEqual([2_000, 400]);
    expect(await held(merged)).toEqual([before[1].storedValue.principal, before[1].storedValue.bonus]);
    const [one, other] = [await boss.get({ customerId: kept.id }), await boss.get({ customerId: merged.id })];
    expect([one.customer, other.customer]).toEqual([before[0].customer, before[1].customer]);
    expect([one.merged, other.mergedInto, other.blocked]).toEqual([[], null, null]);
    const [voucher] = await owner`select customer_id from vouchers where voucher_code = ${code.replaceAll('-', '')}`;
    const [note] = await owner`select customer_id from customer_notes where merchant_id = ${merchant.id}`;
    expect([voucher?.customer_id, note?.customer_id]).toEqual([merged.id, merged.id]);
    expect((await balancesByPhone({ ...pos }, { phone: merged.phone })).customer.customerId).toBe(merged.id);
    await spend(merged, 900);
    await boss.merge({ keptId: kept.id, mergedId: merged.id });
    await undo();
    expect(await held(merged)).toEqual([0, 0]);
  });

  test('is refused once value or a voucher was used, or a void crossed both', async () => {
    const { owner, merchant, pos, kept, merged, fill, spend, merge, undo, held } = stage;
    await fill(merged);
    const spent = await spend(merged, 100);
    await merge();
    const before = await held(kept);
    await voidTransactions({ ...pos }, { transactionIds: [spent] });
    expect(await refusalOf(undo())).toMatchObject({ code: 'merge_final' });
    expect(await held(kept)).not.toEqual(before);
    const other = await newStage();
    await other.fill(other.merged);
    await other.merge();
    await other.spend(other.kept, 1);
    expect(await refusalOf(other.undo())).toMatchObject({ code: 'merge_final' });
    const third = await newStage();
    const campaignId = await createCampaign(owner, third.merchant.id);
    const code = await createVoucher(owner, third.merchant.id, { campaignId, customerId: third.merged.id });
    await third.merge();
    const customer = { customerId: third.kept.id };
    const bill = { amount: 100_000, lines: [] };
    await redeemVoucher({ ...third.pos }, { transactionId: newId(), customer, voucherCode: code, bill } as never);
    expect(await refusalOf(third.undo())).toMatchObject({ code: 'merge_final' });
    expect(merchant.id).not.toBe(third.merchant.id);
  });

  test('gives each their own tags, also one that both have', async () => {
    const { owner, boss, kept, merged, merge, undo } = stage;
    await owner`update customers set tags = '{Regular,VIP}' where id = ${kept.id}`;
    await owner`update customers set tags = '{vip,no peanuts}' where id = ${merged.id}`;
    const tags = async () =>
      Promise.all([kept, merged].map(async ({ id }) => (await boss.get({ customerId: id })).customer.tags));
    await merge();
    expect((await tags())[0]).toEqual(['Regular', 'VIP', 'no peanuts']);
    await undo();
    expect(await tags()).toEqual([
      ['Regular', 'VIP'],
      ['vip', 'no peanuts'],
    ]);
    await owner`update customers set tags = '{VIP}' where id in ${owner([kept.id, merged.id])}`;
    await merge();
    await owner`update customers set tags = '{VIP,Moved}' where id = ${kept.id}`;
    await undo();
    expect(await tags()).toEqual([['VIP', 'Moved'], ['VIP']]);
  });

  test('is refused once the details were edited that came from the merged customer', async () => {
    const { owner, boss, kept, merged, merge, undo } = stage;
    await owner`update customers set phone = null where id = ${kept.id}`;
    await merge();
    await owner`update customers set last_name = 'Tan' where id = ${kept.id}`;
    expect(await refusalOf(undo())).toMatchObject({ code: 'merge_final' });
    expect((await boss.get({ customerId: kept.id })).customer.phone).toBe(merged.phone);
  });

  test('is refused after seven days, after a further merge, and to managers', async () => {
    const { owner, merchant, boss, manager, kept, merged, merge, undo } = stage;
    await merge();
    expect(await refusalOf(manager.undoMerge({ mergedId: merged.id }))).toMatchObject({ code: 'role_forbidden' });
    const last = await createCustomer(owner, merchant.id);
    await boss.merge({ keptId: last.id, mergedId: kept.id });
    expect(await refusalOf(undo())).toMatchObject({ code: 'merge_final' });
    await boss.undoMerge({ mergedId: kept.id });
    await undo();
    await merge();
    now = new Date(now.getTime() + 7 * 24 * 60 * 60_000 + 1);
    expect(await refusalOf(undo())).toMatchObject({ code: 'merge_final' });
  });

  test('and a redemption at once: one of them wins, and no money is lost', async () => {
    for (let n = 0; n < 5; n++) {
      const { fill, kept, merged, merge, undo, spend, held } = await newStage();
      await fill(merged);
      await merge();
      const [spent, undone] = await Promise.allSettled([spend(kept, 500), undo()]);
      expect([spent.status, undone.status].filter((one) => one === 'fulfilled').length).toBe(1);
      const sums = [...(await held(kept)), ...(await held(merged))].reduce((sum, one) => sum + one, 0);
      expect(sums).toBe(spent.status === 'fulfilled' ? 700 : 1_200);
    }
  });
});

test('a merged phone can be removed: it finds nobody then, and is told', async () => {
  const scene = await createNoticeScene(database);
  for (const kind of ['accounts-merged', 'phone-changed'] as const) await scene.turnOn(kind);
  const { owner } = database;
  const [kept, merged] = [
    await createCustomer(owner, scene.merchant.id),
    await createCustomer(owner, scene.merchant.id),
  ];
  const { customers } = await scene.call();
  await customers.merge({ keptId: kept.id, mergedId: merged.id });
  const told = async () => (await scene.rows()).map(({ kind, phone }) => `${kind} ${phone}`).sort();
  const ofMerge = [kept, merged].map(({ phone }) => `accounts-merged ${phone}`).sort();
  expect(await told()).toEqual(ofMerge);
  const pos = await authenticateKey(scene.services, scene.merchant.stores[0].key);
  expect((await balancesByPhone(pos, { phone: merged.phone })).customer.customerId).toBe(kept.id);
  await customers.removeMergedPhone({ mergedId: merged.id });
  await customers.removeMergedPhone({ mergedId: merged.id });
  expect(await refusalOf(balancesByPhone(pos, { phone: merged.phone }))).toMatchObject({ code: 'customer_not_found' });
  expect(await told()).toEqual([...ofMerge, `phone-changed ${merged.phone}`].sort());
  expect(await refusalOf(customers.removeMergedPhone({ mergedId: kept.id }))).toMatchObject({
    code: 'customer_not_found',
  });
});

test('customers are told of adjustments and of top-ups at the counter, in their language, and nothing secret', async () => {
  const scene = await createNoticeScene(database);
  const { owner } = database;
  for (const kind of ['balance-adjusted', 'top-up-receipt'] as const) {
    await scene.turnOn(kind);
    await scene.turnOn(kind, 'ms');
  }
  const packageId = await createFixedPackage(owner, scene.merchant.id, {
    amount: 1_000,
    bonus: 0,
    bonus_expires_in_days: null,
  });
  const { id: customerId } = await createCustomer(owner, scene.merchant.id, { pin: '2468' });
  await owner`update customers set language = 'ms', messages_opted_out_at = now() where id = ${customerId}`;
  const { customers } = await scene.call();
  const paid = {
    customerId,
    packageId,
    storeId: scene.merchant.stores[0].id,
    amount: null,
    paymentMethod: 'cash' as const,
  };
  await customers.topUp({ ...paid, topUpId: newId() });
  const adjust = { customerId, adjustmentId: newId(), direction: 'add' as const, expiresOn: null, reason: 'Goodwill' };
  await customers.adjust({ ...adjust, part: 'points', amount: 120 });
  await customers.adjust({ ...adjust, part: 'points', amount: 120 });
  await customers.adjust({ ...adjust, adjustmentId: newId(), part: 'principal', direction: 'take', amount: 250 });
  await scene.send();
  const texts = (await scene.texts()) as string[];
  // Also who wants no other messages: it is their money.
  expect(texts).toHaveLength(3);
  expect(texts.join(' ')).toMatch(/10\.00/);
  expect(texts.join(' ')).toMatch(/\+120 mata/);
  expect(texts.join(' ')).toMatch(/−.*2\.50/);
  expect(texts.join(' ')).not.toMatch(/2468|Goodwill/);
});
