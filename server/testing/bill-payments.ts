/** Shared set-up for tests of bills paid by card: a merchant's till and table, phones, and a fake Stripe. */
import type { FakeSession } from '@/e2e/fixtures/fake-stripe';
import { authenticateKey } from '@/server/domain/access/authenticate';
import { closeBill } from '@/server/domain/bills/close';
import { getBill } from '@/server/domain/bills/get';
import { cancelBillPayment, checkBillPayment, payBill } from '@/server/domain/bills/pay';
import { putBill } from '@/server/domain/bills/put';
import { settleBillPayment } from '@/server/domain/bills/settle';
import { getTableBill } from '@/server/domain/bills/table-bill';
import type { Services } from '@/server/domain/kernel/context';
import { newId } from '@/server/domain/kernel/ids';
import { scannedTableOf } from '@/server/domain/qr-ordering/diner-table';
import { generateQrCode } from '@/server/domain/qr-ordering/qr-codes';
import { createMerchant } from './factory';
import type { topUpStage } from './top-ups';

type Stage = ReturnType<typeof topUpStage>;
type MerchantSettings = Parameters<typeof createMerchant>[1];

interface Paying {
  paymentId?: string;
  guestId?: string;
  guestName?: string;
  amount?: number;
  tip?: number;
}

/** What a till sends for a bill with one line. */
export const billOf = (billId: string, total: number, { revision = 1, currency = 'SGD' } = {}) => ({
  billId,
  revision,
  currency,
  lines: [{ plu: 'N001', name: 'Laksa', quantity: 1, unitPrice: total, amount: total }],
  subtotal: total,
  discount: 0,
  serviceCharge: 0,
  tax: 0,
  total,
});

/** Opens a merchant's bill, sent by its till, at a table whose code phones have scanned. */
export async function openPaidTable(
  stage: Stage,
  total: number,
  { settings = {}, services = stage.services() }: { settings?: MerchantSettings; services?: Services } = {},
) {
  const { owner, stripe } = stage;
  const merchant = await createMerchant(owner, settings);
  const till = await authenticateKey(services, merchant.stores[0].key);
  const { currency } = till.merchant;
  const billId = newId();
  const put = (amount: number, revision: number) => putBill(till, billOf(billId, amount, { revision, currency }));
  await put(total, 1);
  const { qrCodeId, url } = await generateQrCode(till, { billId, table: '12' });
  const visit = { token: url.split('/q/')[1] ?? '', client: '192.0.2.1' };
  const table = await scannedTableOf(services, visit);
  table.offers = { ...table.offers, tipPercentages: [10] };
  const guestId = newId();
  const sessionOf = (paymentId: string) =>
    [...stripe.sessions.values()].find(({ client_reference_id: id }) => id === paymentId) as FakeSession;
  const begin = async ({ paymentId = newId(), amount = total, tip = 0, ...phone }: Paying = {}) => {
    const { checkoutUrl } = await payBill(
      services,
      table,
      { paymentId, guestId, amount, tip, ...phone },
      '203.0.113.1',
    );
    return { paymentId, checkoutUrl, session: sessionOf(paymentId) };
  };
  const settle = (paymentId: string, checkoutId?: string) =>
    settleBillPayment(services, { merchantId: merchant.id, billPaymentId: paymentId, checkoutId });
  /** Starts a payment, pays it at Stripe, and reports it. */
  const pay = async (paying: Paying = {}) => {
    const begun = await begin(paying);
    stripe.pay(begun.session.id);
    await settle(begun.paymentId);
    return begun;
  };
  /** What Stripe still has of this merchant's payments, and what the merchant keeps. */
  const money = async () => {
    const taken = [...stripe.sessions.values()].filter(
      ({ metadata, payment_status }) => metadata.merchantId === merchant.id && payment_status === 'paid',
    );
    const [kept] = await owner`
      select coalesce(sum(kept_amount + kept_tip), 0)::int as kept,
        coalesce(sum(amount + tip - kept_amount - kept_tip - returned_amount) filter (where state = 'taken'), 0)::int as owed
      from bill_payments where merchant_id = ${merchant.id}`;
    const atStripe = taken.reduce((sum, one) => sum + one.amount_total - one.amountRefunded, 0);
    return { atStripe, kept: kept?.kept as number, owed: kept?.owed as number };
  };
  return {
    merchant,
    services,
    till,
    billId,
    put,
    qrCodeId,
    visit,
    table,
    guestId,
    sessionOf,
    begin,
    settle,
    pay,
    money,
    check: (paymentId: string, of = guestId) => checkBillPayment(services, table, { paymentId, guestId: of }),
    cancel: (paymentId: string, of = guestId) => cancelBillPayment(services, table, { paymentId, guestId: of }),
    look: () => getBill(till, { billId }),
    close: () => closeBill(till, { billId }),
    view: (viewer: { guestId?: string | null; customerId?: string | null } = {}) =>
      getTableBill(services, table, { guestId, customerId: null, ...viewer }),
  };
}
