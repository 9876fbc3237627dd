/**
 * A process of the service at which phones pay shares of one bill, for a test that kills it: each share is paid at Stripe,
 * settled, and some are refunded. It prints a word at each step.
 */
import { connect } from '@/db/client';
import { isUnavailable } from '@/db/errors';
import { fakeStripeEnv } from '@/e2e/fixtures/fake-stripe';
import { createStripe } from '@/server/gateways/stripe';
import { readEnv } from '@/server/process/env';
import { authenticate } from '../domain/access/authenticate';
import { payBill } from '../domain/bills/pay';
import { refundBillPayment } from '../domain/bills/refund';
import { settleBillPayment } from '../domain/bills/settle';
import { DomainError } from '../domain/kernel/errors';
import { newId } from '../domain/kernel/ids';
import { scannedTableOf } from '../domain/qr-ordering/diner-table';
import { testSecret, testServices } from './factory';

const [url = '', stripeOrigin = '', key = '', token = '', phones = '', share = ''] = process.argv.slice(2);
const secrets = { AUTH_SECRET: testSecret, DATA_SECRET: testSecret };
const env = readEnv({ APP_ENV: 'sandbox', DATABASE_URL: url, ...secrets, ...fakeStripeEnv(stripeOrigin) });
const db = connect(url, { role: 'loyalty_app', max: 8 });
const services = { ...testServices(db), cardPayments: createStripe(env) };
const till = await authenticate(services, key);
const scanned = await scannedTableOf(services, { token, client: '192.0.2.1' });
const table = { ...scanned, offers: { ...scanned.offers, tipPercentages: [10] } };
const merchantId = table.merchant.id;
const print = (word: string) => void process.stdout.write(`${word}\n`);

/** What the till's changes may do to a phone's payment. */
const expected = new Set([
  ...['bill_due_exceeded', 'bill_closed', 'bill_payment_over', 'bill_payment_not_found', 'service_unavailable'],
]);

async function pay(phone: number): Promise<void> {
  const payment = { paymentId: newId(), guestId: newId(), amount: Number(share), tip: phone };
  const { paymentId } = payment;
  print('asks');
  const { checkoutUrl } = await payBill(services, table, payment);
  print('opened');
  const isPaid = await fetch(`${checkoutUrl}/paid`, { method: 'POST', redirect: 'manual' });
  print(`paid ${isPaid.status}`);
  await Promise.all([1, 2].map(() => settleBillPayment(services, { merchantId, billPaymentId: paymentId })));
  print('settled');
  if (phone % 3 === 0) await refundBillPayment(till, { billId: table.billId, paymentId, returned: 50 });
}

const outcomes = await Promise.allSettled(Array.from({ length: Number(phones) }, (_, phone) => pay(phone)));
for (const outcome of outcomes) {
  if (outcome.status === 'fulfilled') continue;
  const { reason } = outcome;
  // On a busy machine, the database or Stripe may answer too late. The phone would ask again.
  if (isUnavailable(reason)) continue;
  if (!(reason instanceof DomainError && expected.has(reason.code))) throw reason;
}
await db.close();
