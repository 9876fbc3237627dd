/**
 * A process of the service in which phones pay shares of one bill, for a test that kills it. Each share is paid at
 * Stripe and settled, and some are refunded. It prints a word at each step.
 */
import { connectDatabase, isUnavailable } from '@/db/driver';
import { fakeStripeEnv } from '@/e2e/fixtures/fake-stripe';
import { readEnv } from '@/server/environment/env';
import { createStripe } from '@/server/gateways/stripe';
import { authenticateKey } from '../domain/access/authenticate';
import { payBill } from '../domain/bills/pay';
import { settleBillPayment } from '../domain/bills/settle';
import { DomainError } from '../domain/kernel/errors';
import { newId } from '../domain/kernel/ids';
import { scannedTableOf } from '../domain/qr-ordering/diner-table';
import { refundBillPayment } from '../domain/transactions/refund-bill-payment';
import { testSecret, testServices } from './factory';

const [url = '', stripeOrigin = '', key = '', token = '', phones = '', share = ''] = process.argv.slice(2);
const secrets = { AUTH_SECRET: testSecret, DATA_SECRET: testSecret };
const env = readEnv({ APP_ENV: 'sandbox', DATABASE_URL: url, ...secrets, ...fakeStripeEnv(stripeOrigin) });
const db = connectDatabase(url, { role: 'loyalty_app', max: 8 });
const services = { ...testServices(db), cardPayments: createStripe(env) };
const print = (word: string) => void process.stdout.write(`${word}\n`);

/** Refusals that the till's concurrent changes may cause. */
const expected = ['bill_due_exceeded', 'bill_closed', 'bill_payment_over', 'bill_payment_not_found'];

/**
 * On a busy machine, the database or Stripe may answer too late. A phone would ask again; here the next process does.
 */
function tolerate(error: unknown): void {
  const isExpected = error instanceof DomainError && [...expected, 'service_unavailable'].includes(error.code);
  if (!isExpected && !isUnavailable(error)) throw error;
}

async function openTable() {
  const till = await authenticateKey(services, key);
  const table = await scannedTableOf(services, { token, client: '192.0.2.1' });
  return { till, table: { ...table, offers: { ...table.offers, tipPercentages: [10] } } };
}

async function pay({ till, table }: Awaited<ReturnType<typeof openTable>>, phone: number): Promise<void> {
  const [paymentId, merchantId] = [newId(), table.merchant.id];
  print('asks');
  const payment = { paymentId, guestId: newId(), amount: Number(share), tip: phone };
  const { checkoutUrl } = await payBill(services, table, payment, '203.0.113.1');
  print('opened');
  await fetch(`${checkoutUrl}/paid`, { method: 'POST', redirect: 'manual' });
  print('paid');
  await Promise.all([1, 2].map(() => settleBillPayment(services, { merchantId, billPaymentId: paymentId })));
  print('settled');
  if (phone % 3 === 0) await refundBillPayment(till, { billId: table.billId, paymentId, returned: 50 });
}

const serve = async () => {
  const opened = await openTable();
  await Promise.all(Array.from({ length: Number(phones) }, (_, phone) => pay(opened, phone).catch(tolerate)));
};
await serve().catch(tolerate);
await db.close();
