/** A customer uses points, vouchers and balance on a table's bill: by phone, and concurrently with the till. */
import { beforeAll, describe, expect, test } from 'vitest';
import { sharedDatabase } from '@/db/testing/database';
import { closeBill } from '@/server/domain/bills/close';
import { putBill } from '@/server/domain/bills/put';
import { beginSettling } from '@/server/domain/bills/settling';
import { newId } from '@/server/domain/kernel/ids';
import { sendNotices } from '@/server/domain/messaging/send-notices';
import { invalidateQrCode } from '@/server/domain/qr-ordering/qr-codes';
import { submitSale } from '@/server/domain/sales/submit';
import { redeemStoredValue } from '@/server/domain/stored-value/redeem';
import { voidTransactions } from '@/server/domain/transactions/void';
import { followTable } from '@/server/live/table';
import { reasonOf } from '@/server/testing/diners';
import { blockCustomer } from '@/server/testing/factory';
import { silentMessenger } from '@/server/testing/notices';
import { callAs } from '@/server/testing/staff';
import { createBillScene, laksaBill } from '@/server/testing/table-bill';

const database = sharedDatabase();
let scene: Awaited<ReturnType<typeof createBillScene>>;

beforeAll(async () => {
  scene = await createBillScene(database);
});

/** Opens a table with a bill, a customer with 50.00 and 100 points, and the customer's phone. */
async function sitDown(stage = scene, options: { pin?: string } = {}) {
  const table = await stage.openTable();
  const customer = await stage.addCustomer(options);
  const phone = await stage.phoneAt(table, customer);
  return { table, customer, phone, held: () => stage.held(customer) };
}

const pay = (amount: number, requestId = newId()) => ({ kind: 'storedValue' as const, amount, requestId });
const withPoints = (points: number, requestId = newId()) => ({ kind: 'points' as const, points, requestId });
const withVoucher = (voucherCode: string, requestId = newId()) => ({
  kind: 'voucher' as const,
  voucherCode,
  amount: 1,
  requestId,
});
const atOnce = <T>(works: (() => Promise<T>)[]) => Promise.allSettled(works.map((work) => work()));

describe('offers', () => {
  test('are what fits the bill, each with what it would take off, and claim nothing', async () => {
    const { table, customer, phone } = await sitDown();
    const half = await scene.giveVoucher(customer, { name: 'Half', unit: 'BillDollarPercentage', value: 5_000 });
    const five = await scene.giveVoucher(customer);
    await scene.giveVoucher(customer, { name: 'Large', min_spend: 2_600 });
    await scene.giveVoucher(customer, { name: 'Dessert', unit: 'ItemDollarValue', value: 100, plus: ['X999'] });
    await scene.giveVoucher(customer, { storeIds: [scene.merchant.stores[1].id] });
    const offers = await phone.bill.offers({});
    expect(offers).toEqual({
      pin: 'none',
      pinLockedUntil: null,
      isBlocked: false,
      vouchers: [
        // Computed on the goods without the service charge, as a till does.
        { voucherCode: half, name: 'Half', amount: 1_250, expiresAt: null },
        { voucherCode: five, name: 'Five off', amount: 500, expiresAt: null },
      ],
      refusedVouchers: [
        { name: 'Large', reason: 'minimum_spend_not_met', details: { minSpend: 2_600, billAmount: 2_500 } },
        { name: 'Dessert', reason: 'voucher_not_applicable', details: { plus: ['X999'] } },
      ],
      points: { balance: 100, worth: 1_000, usable: 100, amount: 1_000 },
      storedValue: { balance: 5_000, usable: 2_750 },
    });
    expect(await phone.bill.offers({})).toEqual(offers);
    expect((await table.look()).redemptions).toEqual([]);
  });

  test('follow what is left to pay, and which vouchers can be combined', async () => {
    const { customer, phone } = await sitDown();
    const alone = await scene.giveVoucher(customer);
    const first = await scene.giveVoucher(customer, { stackable: true, value: 2_000 });
    const second = await scene.giveVoucher(customer, { stackable: true, unit: 'BillDollarPercentage', value: 1_000 });
    await phone.bill.redeem(withVoucher(first));
    const codesOf = async () => (await phone.bill.offers({})).vouchers.map((one) => [one.voucherCode, one.amount]);
    // A tenth of what the first voucher left of the goods.
    expect(await codesOf()).toEqual([[second, 50]]);
    await phone.bill.redeem(pay(735));
    expect(await codesOf()).toEqual([[second, 15]]);
    expect(await phone.bill.offers({})).toMatchObject({
      points: { usable: 1, amount: 10 },
      storedValue: { balance: 4_265, usable: 15 },
      refusedVouchers: [{ name: 'Five off', reason: 'voucher_not_stackable' }],
    });
    expect(await reasonOf(phone.bill.redeem(withVoucher(alone)))).toBe('voucher_not_stackable');
  });

  test('offer what earlier vouchers left of a unit, and the phone redeems just that', async () => {
    const { table, customer, phone } = await sitDown();
    const drink = { unit: 'ItemDollarValue' as const, value: 400, plus: ['D001'], stackable: true };
    const [first, second] = [await scene.giveVoucher(customer, drink), await scene.giveVoucher(customer, drink)];
    await phone.bill.redeem(withVoucher(first));
    expect((await phone.bill.offers({})).vouchers).toMatchObject([{ voucherCode: second, amount: 100 }]);
    await phone.bill.redeem(withVoucher(second));
    expect((await table.look()).redemptions.map(({ amount }) => amount)).toEqual([400, 100]);
  });

  test('name a few of many vouchers that do not fit, each name once', async () => {
    const { customer, phone } = await sitDown();
    for (const name of ['A', 'A', 'B', 'B', 'C', 'D']) await scene.giveVoucher(customer, { name, min_spend: 2_600 });
    const names = (await phone.bill.offers({})).refusedVouchers.map(({ name }) => name);
    expect(names).toHaveLength(3);
    expect(new Set(names).size).toBe(3);
  });

  test('say that there is nothing for a blocked customer, and nothing to sign in for', async () => {
    const { table, customer, phone } = await sitDown();
    await scene.giveVoucher(customer, { min_spend: 2_600 });
    await blockCustomer(database.owner, customer.id);
    const nothing = { isBlocked: true, vouchers: [], refusedVouchers: [], points: null, storedValue: null };
    expect(await phone.bill.offers({})).toMatchObject(nothing);
    expect(await reasonOf(phone.bill.redeem(pay(100)))).toBe('customer_blocked');
    const stranger = await scene.phoneAt(table, null);
    await expect(stranger.bill.offers({})).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  });

  test.each([
    ['notSet', {}],
    ['required', { pin: '4711' }],
  ])('say that a PIN is %s', async (pin, customer) => {
    const strict = await createBillScene(database, { pin_required: true });
    const { phone } = await sitDown(strict, customer);
    expect(await phone.bill.offers({})).toMatchObject({ pin });
  });
});

describe('a cart', () => {
  const laksa = { plu: 'N001', quantity: 2, unitPrice: 1_000 };

  test('shows the points that it earns and the vouchers that fit, and claims nothing', async () => {
    const { table, customer, phone } = await sitDown();
    const item = { name: 'Laksa', unit: 'ItemDollarPercentage' as const, value: 5_000, plus: ['N001'] };
    const voucherCode = await scene.giveVoucher(customer, item);
    await scene.giveVoucher(customer, { min_spend: 2_001 });
    const lines = [laksa, { plu: 'D001', quantity: 1, unitPrice: 0 }];
    const benefits = { earnsPoints: 20, vouchers: [{ voucherCode, name: 'Laksa', amount: 500, expiresAt: null }] };
    expect(await phone.cart.benefits({ lines })).toEqual(benefits);
    expect(await phone.cart.benefits({ lines })).toEqual(benefits);
    expect((await table.look()).redemptions).toEqual([]);
    await phone.bill.redeem(withVoucher(voucherCode));
    expect(await phone.cart.benefits({ lines })).toEqual({ earnsPoints: 20, vouchers: [] });
  });

  test('earns nothing above the limit of a sale, and offers a blocked customer no voucher', async () => {
    const limited = await createBillScene(database, { earning_sale_limit: 1_999 });
    const { customer, phone } = await sitDown(limited);
    await limited.giveVoucher(customer);
    await blockCustomer(database.owner, customer.id);
    expect(await phone.cart.benefits({ lines: [laksa] })).toEqual({ earnsPoints: 0, vouchers: [] });
    const unsigned = await limited.phoneAt(await limited.openTable(null), null);
    await expect(unsigned.cart.benefits({ lines: [laksa] })).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  });
});

describe('a redemption', () => {
  test('of each kind counts on the bill, and is an ordinary transaction of the diner', async () => {
    const { table, customer, phone, held } = await sitDown();
    const voucherCode = await scene.giveVoucher(customer);
    const value = await phone.bill.redeem(pay(1_000));
    const points = await phone.bill.redeem(withPoints(40));
    const voucher = await phone.bill.redeem(withVoucher(voucherCode));
    expect([value.amount, points.amount, voucher.amount]).toEqual([1_000, 400, 500]);
    const bill = await table.look();
    expect(bill).toMatchObject({ redeemed: 1_900, due: 850, state: 'open' });
    expect(bill.redemptions.map(({ transactionId, type, customerId }) => [transactionId, type, customerId])).toEqual([
      [value.transactionId, 'redeemStoredValue', customer.id],
      [points.transactionId, 'redeemPoints', customer.id],
      [voucher.transactionId, 'redeemVoucher', customer.id],
    ]);
    expect(await held()).toEqual({ value: 4_000, points: 60 });
    const [{ uid } = { uid: '' }] = (
      await callAs(scene.manager).transactions.list({ customerId: customer.id })
    ).items.filter(({ type }) => type === 'redeemStoredValue');
    expect(await callAs(scene.manager).transactions.get({ uid })).toMatchObject({
      isByDiner: true,
      apiKeyName: null,
      billId: table.billId,
      store: { id: scene.merchant.stores[0].id },
    });
    const events = await database.owner`
      select type from events where merchant_id = ${scene.merchant.id} and data ->> 'transactionId' = ${value.transactionId}`;
    expect(events).toEqual([{ type: 'transaction.completed' }]);
  });

  test('is made once for a double tap, whichever way the copies meet', async () => {
    const { table, phone, held } = await sitDown();
    const wish = pay(700);
    const outcomes = await atOnce(Array.from({ length: 6 }, () => () => phone.bill.redeem(wish)));
    const [first] = outcomes;
    expect(outcomes).toEqual(outcomes.map(() => first));
    expect(first?.status).toBe('fulfilled');
    expect(await phone.bill.redeem(wish)).toMatchObject({ amount: 700 });
    expect(await held()).toMatchObject({ value: 4_300 });
    expect(await table.look()).toMatchObject({ redeemed: 700 });
  });

  test('of a voucher replays its outcome after the bill has changed', async () => {
    const { table, customer, phone } = await sitDown();
    const wish = withVoucher(await scene.giveVoucher(customer, { unit: 'BillDollarPercentage', value: 1_000 }));
    expect(await phone.bill.redeem(wish)).toMatchObject({ amount: 250 });
    await putBill(scene.till, { ...laksaBill(table.billId, 2), serviceCharge: 0, total: 2_500 });
    expect(await phone.bill.redeem(wish)).toMatchObject({ amount: 250 });
    expect(await table.look()).toMatchObject({ redeemed: 250, due: 2_250 });
  });

  test('of a voucher is refused if it would take off less than the phone showed', async () => {
    const { table, customer, phone } = await sitDown();
    const voucherCode = await scene.giveVoucher(customer, { value: 2_000 });
    const [offer] = (await phone.bill.offers({})).vouchers;
    expect(offer).toMatchObject({ voucherCode, amount: 2_000 });
    await phone.bill.redeem(pay(2_000));
    expect(await reasonOf(phone.bill.redeem({ ...withVoucher(voucherCode), amount: 2_000 }))).toBe('offer_changed');
    expect(await table.look()).toMatchObject({ redeemed: 2_000 });
    const [now] = (await phone.bill.offers({})).vouchers;
    expect(await phone.bill.redeem({ ...withVoucher(voucherCode), amount: now?.amount ?? 0 })).toMatchObject({
      amount: 750,
    });
  });

  test('takes no more than is due: two phones of one customer and the till at once', async () => {
    const { table, customer, phone, held } = await sitDown();
    const second = await scene.phoneAt(table, customer);
    const byTill = () =>
      redeemStoredValue(scene.till, {
        transactionId: newId(),
        billId: table.billId,
        amount: 1_500,
        customer: { customerId: customer.id },
      });
    const outcomes = await atOnce<unknown>([
      () => phone.bill.redeem(pay(1_500)),
      () => second.bill.redeem(pay(1_500)),
      byTill,
    ]);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const reasons = outcomes.flatMap((one) =>
      one.status === 'rejected' ? [one.reason.cause?.code ?? one.reason.code] : [],
    );
    expect(reasons).toEqual(['bill_due_exceeded', 'bill_due_exceeded']);
    expect(await table.look()).toMatchObject({ redeemed: 1_500, due: 1_250, overpaid: 0 });
    expect(await held()).toMatchObject({ value: 3_500 });
  });

  test('and the till’s new revision never leave more redeemed than was due', async () => {
    for (let round = 0; round < 5; round++) {
      const { table, phone } = await sitDown();
      const less = { ...laksaBill(table.billId, 2), discount: 1_000, serviceCharge: 0, total: 1_500 };
      const [redeemed, sent] = await Promise.allSettled([phone.bill.redeem(pay(2_000)), putBill(scene.till, less)]);
      expect(sent.status).toBe('fulfilled');
      const bill = await table.look();
      // Either it came before the revision and the till sees the excess, or it was refused.
      const isRedeemed = redeemed.status === 'fulfilled';
      expect(bill).toMatchObject({ redeemed: isRedeemed ? 2_000 : 0, overpaid: isRedeemed ? 500 : 0 });
      if (!isRedeemed) expect(redeemed.reason.cause.code).toBe('bill_due_exceeded');
    }
  });

  test('needs an open bill, and an open code', async () => {
    const unsent = await scene.openTable(null);
    const customer = await scene.addCustomer();
    const early = await scene.phoneAt(unsent, customer);
    expect(await reasonOf(early.bill.offers({}))).toBe('bill_not_found');
    for (const wish of [pay(100), withVoucher(await scene.giveVoucher(customer))]) {
      expect(await reasonOf(early.bill.redeem(wish))).toBe('bill_not_found');
    }
    expect(await database.owner`select from transactions where bill_id = ${unsent.billId}`).toEqual([]);

    const { table, phone, held, customer: guest } = await sitDown();
    await closeBill(scene.till, { billId: table.billId });
    for (const wish of [pay(100), withPoints(10), withVoucher(await scene.giveVoucher(guest))]) {
      expect(await reasonOf(phone.bill.redeem(wish))).toBe('bill_closed');
    }
    await invalidateQrCode(scene.till, { billId: table.billId });
    expect(await reasonOf(phone.bill.redeem(pay(100)))).toBe('qr_code_closed');
    expect(await held()).toEqual({ value: 5_000, points: 100 });
    const nowhere = await scene.phoneAt({ token: 'AAAAAAAAAAAAAAAAAAAAAA' }, customer);
    expect(await reasonOf(nowhere.bill.redeem(pay(100)))).toBe('qr_code_not_found');
  });

  test('needs the PIN where a till does, and counts wrong ones', async () => {
    const strict = await createBillScene(database, { pin_required: true });
    const { phone, held } = await sitDown(strict, { pin: '4711' });
    const wish = pay(500);
    expect(await reasonOf(phone.bill.redeem(wish))).toBe('pin_required');
    for (let tries = 1; tries <= 4; tries++) {
      expect(await reasonOf(phone.bill.redeem({ ...wish, pin: '0815' }))).toBe('pin_invalid');
    }
    expect(await phone.bill.redeem({ ...wish, pin: '4711' })).toMatchObject({ amount: 500 });
    for (let tries = 1; tries <= 5; tries++) await reasonOf(phone.bill.redeem({ ...pay(1), pin: '0815' }));
    expect(await reasonOf(phone.bill.redeem({ ...pay(1), pin: '4711' }))).toBe('pin_locked');
    expect(await phone.bill.offers({})).toMatchObject({ pin: 'locked', pinLockedUntil: expect.any(Date) });
    expect(await held()).toMatchObject({ value: 4_500 });
    const { phone: without } = await sitDown(strict);
    expect(await reasonOf(without.bill.redeem({ ...pay(1), pin: '4711' }))).toBe('pin_not_set');
  });

  test('is refused where the merchant does not offer it, and when it is tried without end', async () => {
    const other = await createBillScene(database);
    const { phone } = await sitDown(other);
    for (let tries = 1; tries <= 60; tries++) await reasonOf(phone.bill.takeBack({ transactionId: 'x' }));
    expect(await reasonOf(phone.bill.redeem(pay(1)))).toBe('too_many_attempts');
    const { phone: next } = await sitDown(other);
    await database.owner`
      insert into ordering_settings (merchant_id, redeems_on_bill, updated_at) values (${other.merchant.id}, false, now())`;
    expect(await reasonOf(next.bill.offers({}))).toBe('not_offered');
    expect(await reasonOf(next.bill.redeem(pay(1)))).toBe('not_offered');
  });
});

test('a void by the till is heard by the phones at the table, whether its events are recorded or not', async () => {
  const silent = await createBillScene(database, { records_events: false });
  const { table, phone } = await sitDown(silent);
  const { transactionId } = await phone.bill.redeem(pay(100));
  const leaving = new AbortController();
  const page = followTable(silent.services, { token: table.token, client: '192.0.2.1' }, leaving.signal);
  const heard = async (topic: string) => {
    for await (const one of { [Symbol.asyncIterator]: () => ({ next: () => page.next() }) }) {
      if (one === topic) return topic;
    }
    return 'the end';
  };
  // The first event tells a listener that everything may have changed.
  expect(await heard('payments')).toBe('payments');
  await voidTransactions(silent.till, { transactionIds: [transactionId] });
  expect(await heard('payments')).toBe('payments');
  leaving.abort();
  await page.return(undefined);
});

describe('taking back', () => {
  test('gives everything back, and says who did it', async () => {
    const { table, customer, phone, held } = await sitDown();
    const voucherCode = await scene.giveVoucher(customer);
    const wishes = [pay(1_000), withPoints(40), withVoucher(voucherCode)];
    for (const wish of wishes) {
      const { transactionId } = await phone.bill.redeem(wish);
      await phone.bill.takeBack({ transactionId });
      await phone.bill.takeBack({ transactionId });
    }
    expect(await table.look()).toMatchObject({ redeemed: 0, due: 2_750, redemptions: [] });
    expect(await held()).toEqual({ value: 5_000, points: 100 });
    expect((await phone.bill.offers({})).vouchers).toMatchObject([{ voucherCode }]);
    const { items } = await callAs(scene.manager).transactions.list({ customerId: customer.id });
    const redemptions = items.filter(({ type }) => type !== 'adjustment');
    expect(redemptions).toHaveLength(3);
    for (const { uid } of redemptions) {
      const { void: voided } = await callAs(scene.manager).transactions.get({ uid });
      expect(voided).toMatchObject({ by: { kind: 'diner' } });
      const audited = await database.owner`
        select actor_kind, actor_id from audit_log where subject_id = ${voided?.voidId ?? ''}`;
      expect(audited).toEqual([{ actor_kind: 'diner', actor_id: null }]);
    }
  });

  test('is for staff after the minutes that the merchant allows', async () => {
    const { table, phone, held } = await sitDown();
    const { transactionId } = await phone.bill.redeem(pay(900));
    const canTakeBack = async () => (await phone.bill.get({ guestId: newId() }))?.redemptions[0]?.canTakeBack;
    const ageTo = (seconds: number) => database.owner`
      update transactions set occurred_at = created_at - make_interval(secs => ${seconds})
      where transaction_id = ${transactionId}`;
    await ageTo(60);
    expect(await canTakeBack()).toBe(true);
    await ageTo(120);
    expect(await canTakeBack()).toBe(false);
    expect(await reasonOf(phone.bill.takeBack({ transactionId }))).toBe('bill_paid');
    expect(await held()).toMatchObject({ value: 4_100 });
    const setMinutes = (minutes: number) => database.owner`
      insert into ordering_settings (merchant_id, take_back_minutes, updated_at)
      select id, ${minutes}, now() from merchants where id = ${scene.merchant.id}
      on conflict (merchant_id) do update set take_back_minutes = excluded.take_back_minutes`;
    await setMinutes(60);
    await phone.bill.takeBack({ transactionId });
    expect(await table.look()).toMatchObject({ redeemed: 0 });
    await setMinutes(2);
  });

  test('waits while the till takes money, as redeeming does; the till itself still redeems', async () => {
    const { table, phone, customer } = await sitDown();
    const { transactionId } = await phone.bill.redeem(pay(900));
    const { due, settlingUntil } = await beginSettling(scene.till, { billId: table.billId, minutes: 5 });
    expect(settlingUntil).not.toBeNull();
    const seen = await phone.bill.get({ guestId: newId() });
    expect(seen).toMatchObject({ isSettling: true, available: 0, due, redemptions: [{ canTakeBack: false }] });
    expect(await reasonOf(phone.bill.takeBack({ transactionId }))).toBe('bill_settling');
    const more = pay(100);
    expect(await reasonOf(phone.bill.redeem(more))).toBe('bill_settling');
    await redeemStoredValue(scene.till, {
      transactionId: newId(),
      customer: { customerId: customer.id },
      billId: table.billId,
      amount: 50,
    });
    expect(await table.look()).toMatchObject({ redeemed: 950 });
    // The same tap again works once the till is done.
    await beginSettling(scene.till, { billId: table.billId, minutes: 0 });
    await phone.bill.redeem(more);
    await phone.bill.takeBack({ transactionId });
    expect(await table.look()).toMatchObject({ redeemed: 150, settlingUntil: null });
  });

  test('is for staff once the till took money for a part', async () => {
    const [one, other] = [await sitDown(), await sitDown()];
    const [sold, paid] = [await one.phone.bill.redeem(pay(900)), await other.phone.bill.redeem(pay(900))];
    const part = { subtotal: 100, discount: 0, serviceCharge: 0, tax: 0, total: 100 };
    await submitSale(scene.till, {
      transactionId: newId(),
      billId: one.table.billId,
      lines: [{ plu: 'N001', name: 'Laksa', quantity: 1, unitPrice: 100, amount: 100 }],
      ...part,
      payments: [{ method: 'cash', amount: 100 }],
      closedAt: new Date().toISOString(),
    });
    await putBill(scene.till, { ...laksaBill(other.table.billId, 2), paidAtTill: [{ amount: 100 }] });
    for (const [{ phone }, { transactionId }] of [
      [one, sold],
      [other, paid],
    ] as const) {
      expect((await phone.bill.get({ guestId: newId() }))?.redemptions).toMatchObject([{ canTakeBack: false }]);
      expect(await reasonOf(phone.bill.takeBack({ transactionId }))).toBe('bill_paid');
      const more = await phone.bill.redeem(pay(50));
      await phone.bill.takeBack({ transactionId: more.transactionId });
    }
  });

  test('is for staff once nothing is due, or the till’s discount includes it', async () => {
    const { table, phone, held } = await sitDown();
    const points = await phone.bill.redeem(withPoints(100));
    const discounted = {
      ...laksaBill(table.billId, 2),
      discount: 1_000,
      serviceCharge: 150,
      total: 1_650,
      discountTransactionIds: [points.transactionId],
    };
    await putBill(scene.till, discounted);
    expect(await reasonOf(phone.bill.takeBack({ transactionId: points.transactionId }))).toBe('bill_paid');
    const value = await phone.bill.redeem(pay(1_650));
    expect(await table.look()).toMatchObject({ state: 'paid' });
    expect(await reasonOf(phone.bill.takeBack({ transactionId: value.transactionId }))).toBe('bill_paid');
    expect((await phone.bill.get({ guestId: newId() }))?.redemptions.map(({ canTakeBack }) => canTakeBack)).toEqual([
      ...[false, false],
    ]);
    await voidTransactions(scene.till, { transactionIds: [value.transactionId] });
    expect(await held()).toEqual({ value: 5_000, points: 0 });
  });

  test('voids once, however often it is tapped', async () => {
    const { table, phone, held } = await sitDown();
    const { transactionId } = await phone.bill.redeem(pay(1_000));
    const outcomes = await atOnce(Array.from({ length: 5 }, () => () => phone.bill.takeBack({ transactionId })));
    expect(outcomes.map(({ status }) => status)).toEqual(Array(5).fill('fulfilled'));
    expect(await held()).toMatchObject({ value: 5_000 });
    expect(await table.look()).toMatchObject({ redeemed: 0, overpaid: 0 });
  });

  test('is for one’s own redemption on this bill only, made on a phone', async () => {
    const { table, customer, phone, held } = await sitDown();
    const { transactionId } = await phone.bill.redeem(pay(1_000));
    const byTill = newId();
    await redeemStoredValue(scene.till, {
      transactionId: byTill,
      billId: table.billId,
      amount: 500,
      customer: { customerId: customer.id },
    });
    const neighbour = await scene.phoneAt(table, await scene.addCustomer());
    const elsewhere = await scene.phoneAt(await scene.openTable(), customer);
    const wrong = [
      [phone, byTill],
      [phone, `diner:${newId()}`],
      [neighbour, transactionId],
      [elsewhere, transactionId],
    ] as const;
    for (const [one, id] of wrong) {
      expect(await reasonOf(one.bill.takeBack({ transactionId: id }))).toBe('transaction_not_found');
    }
    expect(await held()).toMatchObject({ value: 3_500 });
  });

  test('and closing: the bill is closed with the redemption, or without it', async () => {
    for (let round = 0; round < 6; round++) {
      const { table, phone, held } = await sitDown();
      const { transactionId } = await phone.bill.redeem(pay(1_000));
      const [taken, closed] = await Promise.allSettled([
        phone.bill.takeBack({ transactionId }),
        closeBill(scene.till, { billId: table.billId }),
      ]);
      expect(closed.status).toBe('fulfilled');
      const isBack = taken.status === 'fulfilled';
      if (!isBack) expect(taken.reason.cause.code).toBe('bill_closed');
      expect(await table.look()).toMatchObject({ state: 'closed', redeemed: isBack ? 0 : 1_000 });
      expect(await held()).toMatchObject({ value: isBack ? 5_000 : 4_000 });
      if (closed.status === 'fulfilled') expect(closed.value.redeemed).toBe(isBack ? 0 : 1_000);
    }
  });

  test('and a void by the till give back once', async () => {
    const { table, phone, held } = await sitDown();
    const { transactionId } = await phone.bill.redeem(pay(1_000));
    const outcomes = await atOnce<unknown>([
      () => phone.bill.takeBack({ transactionId }),
      () => voidTransactions(scene.till, { transactionIds: [transactionId] }),
      () => phone.bill.takeBack({ transactionId }),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(Array(3).fill('fulfilled'));
    expect(await held()).toMatchObject({ value: 5_000 });
    expect(await table.look()).toMatchObject({ redeemed: 0, due: 2_750 });
  });
});

describe('a receipt', () => {
  /** Creates a merchant with receipts turned on and permanent quiet hours. */
  async function openQuietly() {
    const quiet = await createBillScene(database);
    const { templates } = await callAs(quiet.manager).messages.templates();
    const template = templates.find(({ kind, language }) => kind === 'bill-receipt' && language === 'en');
    await callAs(quiet.manager).messages.saveTemplate({ ...(template as NonNullable<typeof template>), isOn: true });
    await database.owner`
      update merchants set quiet_from = '00:00', quiet_until = '23:59' where id = ${quiet.merchant.id}`;
    const texts = async () => {
      await sendNotices(quiet.services, silentMessenger, quiet.merchant.id);
      const { items } = await callAs(quiet.manager).messages.list({});
      return items.flatMap(({ kind, text }) => (kind === 'bill-receipt' ? [text] : []));
    };
    return { ...(await sitDown(quiet)), texts, quiet };
  }

  test('goes to WhatsApp when it is requested, in quiet hours and after an opt-out, too', async () => {
    const { customer, phone, texts } = await openQuietly();
    await database.owner`update customers set messages_opted_out_at = now() where id = ${customer.id}`;
    expect(await phone.bill.sendsReceipt()).toBe(true);
    await phone.bill.redeem(pay(1_000));
    await Promise.all([phone.bill.sendReceipt(), phone.bill.sendReceipt()]);
    await phone.bill.sendReceipt();
    const [text, ...more] = await texts();
    expect(more).toEqual([]);
    expect(text).toMatch(/^Thank you, Ada\. Your bill at Test Kitchen on .+: 2 × Laksa, 1 × Kopi\./);
    expect(text).toMatch(/Total: \$27\.50\. Paid on phones: stored value \$10\.00\.$/);
    await phone.bill.redeem(pay(500));
    await phone.bill.sendReceipt();
    expect(await texts()).toHaveLength(2);
  });

  test('is sent once the bill is closed and its code is over, and never of the next bill with its number', async () => {
    const { table, phone, texts, quiet } = await openQuietly();
    await closeBill(quiet.till, { billId: table.billId });
    await invalidateQrCode(quiet.till, { billId: table.billId });
    expect(await phone.bill.sendsReceipt()).toBe(true);
    await phone.bill.sendReceipt();
    expect(await texts()).toHaveLength(1);
    await database.owner`
      update bills set closed_at = closed_at - interval '13 hours', updated_at = updated_at - interval '13 hours'
      where bill_id = ${table.billId}`;
    await putBill(quiet.till, laksaBill(table.billId));
    expect(await reasonOf(phone.bill.sendReceipt())).toBe('bill_not_found');
    await database.owner`
      update qr_codes set invalidated_at = invalidated_at - interval '25 hours' where id = ${table.qrCodeId}`;
    expect(await reasonOf(phone.bill.sendReceipt())).toBe('qr_code_closed');
  });

  test('is not offered where its template is off, nor without end', async () => {
    const { phone } = await sitDown();
    expect(await phone.bill.sendsReceipt()).toBe(false);
    expect(await reasonOf(phone.bill.sendReceipt())).toBe('not_offered');
    const { phone: other } = await openQuietly();
    for (let times = 1; times <= 10; times++) await other.bill.sendReceipt();
    expect(await reasonOf(other.bill.sendReceipt())).toBe('too_many_attempts');
  });
});
