/** Daily tasks of staff: sign-in, orders board, bills, stock-outs, top-up at the counter, void, reports, cards, docs. */
import { newBillId } from '../fixtures/till';
import type { Visit } from './diner';
import { until } from './driver';

type Task = (visit: Visit & { memory: Record<string, string> }) => Promise<void>;

export const staffSteps: Record<string, Task> = {
  'sign-in with a password': async ({ page, merchant }) => {
    await page.open('/sign-in');
    await page.fill('^E-mail', merchant.owner.email);
    await page.fill('^Password', merchant.owner.password);
    await page.press('button', '^Sign in$');
    await page.see('heading', merchant.name);
    await page.shot('home');
  },
  'an order on the board is accepted': async ({ page, till, merchant, table }) => {
    const billId = newBillId();
    const order = { billId, table, lines: [{ plu: 'N001' }], guestName: 'Mei' };
    const { orderId, qrCodeId } = await till.post<{ orderId: string; qrCodeId: string }>('/sandbox/orders', order);
    await page.open('/orders');
    await page.choose('^Store', merchant.stores[0]?.name ?? '');
    await page.press('button', '^Accept', table);
    await until('accepted order', async () => {
      const { orders } = await till.get<{ orders: { status: string }[] }>(`/qr-codes/${qrCodeId}`);
      return orders[0]?.status === 'accepted' ? true : null;
    });
    await page.shot('orders');
    await till.post(`/orders/${orderId}/status`, { status: 'served' });
  },
  'the open bills': async ({ page }) => {
    await page.open('/bills');
    await page.see('heading', '^Bills');
    await page.shot('bills');
  },
  'an item is sold out': async ({ page, till, merchant }) => {
    const { plu, name } = merchant.menu[20] ?? { plu: '', name: '' };
    await page.open('/stock-outs');
    await page.press('button', '^Mark as sold out');
    await page.fill('.', name);
    await page.press('checkbox', name);
    await page.press('button', '^Mark as sold out');
    await page.see('text', name);
    await page.shot('stock-outs');
    await till.post('/stock-outs/restore', { plus: [plu] });
  },
  'a top-up at the counter': async ({ page, till, merchant, memory }) => {
    const email = `engine-${Date.now()}@example.com`;
    const { customerId } = await till.post<{ customerId: string }>('/customers', {
      givenName: 'Engine',
      lastName: 'Visitor',
      email,
    });
    memory.customerId = customerId;
    await page.open(`/customers/${customerId}`);
    await page.press('button', '^Top up');
    await page.press('radio', '^Top up any amount');
    await page.fill('^Amount paid', '50');
    await page.press('radio', '^Card');
    await page.shot('top-up');
    await page.press('button', '^Top up');
    await page.see('text', 'New balance');
    await page.press('button', '^Done');
    const balances = await till.get<{ storedValue: { balance: number } }>(`/customers/email/${email}/balances`);
    if (balances.storedValue.balance < 5_000) throw new Error(`the balance is ${balances.storedValue.balance}`);
    memory.merchantId = merchant.id;
  },
  'a transaction is voided': async ({ page, till, memory }) => {
    const transactionId = newBillId();
    const customer = { customerId: memory.customerId };
    await till.post('/transactions/stored-value/redeem', { transactionId, customer, amount: 1_000 });
    await page.open(`/transactions?search=${transactionId}`);
    await page.press('link', transactionId);
    await page.press('button', '^Void…');
    await page.fill('^Reason', 'Rung up twice');
    await page.press('button', '^Void transaction');
    await page.see('text', 'Rung up twice');
    await page.shot('void');
  },
  'a report, and its file': async ({ page }) => {
    await page.open('/reports');
    await page.see('heading', '^Reports');
    await page.see('text', 'sales');
    await page.shot('reports');
  },
  'tables and their cards': async ({ page }) => {
    await page.open('/tables');
    await page.see('heading', '^Tables');
    await page.shot('tables');
  },
  'the documentation and its console': async ({ page }) => {
    await page.open('/docs');
    await page.see('heading', '.');
    await page.open('/docs/console');
    await page.see('text', '^/ping|Check a key');
    await page.shot('console');
  },
};
