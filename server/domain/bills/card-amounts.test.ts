/** Amounts of bills that cards take only in part, in several currencies. */
import { expect, test } from 'vitest';
import { openPaidTable } from '@/server/testing/bill-payments';
import { topUpStage } from '@/server/testing/top-ups';

const stage = topUpStage();
const inCurrency = (currency: string, total: number) => openPaidTable(stage, total, { settings: { currency } });

test('a bill in dinars with a third decimal is paid, with what cards need on top of the last payment', async () => {
  const { pay, look, money } = await inCurrency('KWD', 10_005);
  await pay({ amount: 6_680, tip: 660 });
  await pay({ amount: 3_325, tip: 335 });
  expect(await look()).toMatchObject({ state: 'paid', paid: 10_005, due: 0, tips: 995 });
  const { atStripe, kept } = await money();
  expect(atStripe).toBe(11_000);
  expect(kept).toBe(11_000);
});

test('what cards need on top is taken where no tips are offered, and no more', async () => {
  const { table, pay, begin, look } = await inCurrency('KWD', 3_325);
  table.offers = { ...table.offers, tipPercentages: [] };
  await expect(begin({ tip: 15 })).rejects.toMatchObject({ code: 'invalid_request' });
  await pay({ tip: 5 });
  expect(await look()).toMatchObject({ state: 'paid', due: 0, tips: 5 });
});

test('what goes back of such a payment is in steps that Stripe takes, too', async () => {
  const { pay, close, put, money, settle } = await inCurrency('KWD', 3_325);
  const { paymentId } = await pay({ tip: 5 });
  await put(3_001, 2);
  await close();
  await settle(paymentId);
  expect(await money()).toEqual({ atStripe: 3_000, kept: 3_000, owed: 0 });
});

test('a rest below the smallest charge is refused before it is held, and can be paid with another amount', async () => {
  const { begin, pay, look, put } = await inCurrency('SGD', 1_020);
  const sessions = stage.stripe.sessions.size;
  await pay({ amount: 1_000 });
  await expect(begin({ amount: 20 })).rejects.toMatchObject({ code: 'card_payment_unavailable' });
  expect(stage.stripe.sessions.size).toBe(sessions + 1);
  expect(await look()).toMatchObject({ due: 20, held: 0 });
  await put(1_050, 2);
  await pay({ amount: 50 });
  expect(await look()).toMatchObject({ state: 'paid', due: 0 });
});

test('a bill of twelve digits of rupiah is paid', async () => {
  // Rp 12,500,000.00
  const { pay, look } = await inCurrency('IDR', 1_250_000_000);
  const { session } = await pay();
  expect(session.amount_total).toBe(1_250_000_000);
  expect(await look()).toMatchObject({ state: 'paid', due: 0 });
});
