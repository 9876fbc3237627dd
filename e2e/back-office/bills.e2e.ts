/** Open bills as staff see them while a till and diners change them. */
import type { Page } from '@playwright/test';
import { expectAccessible } from '../fixtures/accessibility';
import type { DemoMerchant } from '../fixtures/demo';
import { payOnBill } from '../fixtures/pay-on-bill';
import { signIn } from '../fixtures/screens';
import { expect, test } from '../fixtures/test';
import { newBillId, type Till } from '../fixtures/till';
import { uniqueName } from '../fixtures/unique';

const send = (
  till: Till,
  billId: string,
  { revision, table, laksas }: { revision: number; table: string; laksas: number },
) => {
  const amount = 890 * laksas;
  return till.put(`/bills/${billId}`, {
    revision,
    table,
    currency: 'SGD',
    lines: [{ plu: 'N001', name: 'Laksa', quantity: laksas, unitPrice: 890, amount }],
    subtotal: amount,
    discount: 0,
    serviceCharge: 0,
    tax: 0,
    total: amount,
  });
};

async function openBills(page: Page, merchant: DemoMerchant): Promise<void> {
  await signIn(page, merchant, '/bills');
  await page.getByLabel('Store').selectOption(merchant.stores[0]?.name ?? '');
}

test('a bill appears by itself, and its page tells all that happens on it', async ({ page, merchant, till }) => {
  await openBills(page, merchant);
  const [billId, table] = [newBillId(), uniqueName('Terrace')];
  await till.post('/qr-codes', { billId, table, guests: 3 });
  await send(till, billId, { revision: 1, table, laksas: 1 });
  const row = page.getByRole('row', { name: new RegExp(table) });
  await expect(row).toContainText('$8.90');
  await expect(row).toContainText('Open');
  await send(till, billId, { revision: 2, table, laksas: 4 });
  await expect(row).toContainText('$35.60');
  await payOnBill(billId, { amount: 1_000, isTaken: false });
  await expect(row).toContainText('Paying $10.00');
  await payOnBill(billId, { amount: 2_000, tip: 200, guestName: 'Mei' });
  await expect(row).toContainText('$15.60');
  await expectAccessible(page);

  await row.getByRole('link').click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(table);
  await expect(page.getByText('Changed to $35.60')).toBeVisible();
  const payments = page.getByRole('region', { name: 'Card payments' });
  await expect(payments.getByRole('listitem')).toContainText(['Guest 1', 'Mei']);
  await expect(payments.getByText('$20.00 and $2.00 tip')).toBeVisible();

  const payer = { phone: merchant.customers[1]?.phone };
  const transactionId = newBillId();
  await till.post('/transactions/stored-value/redeem', { transactionId, billId, customer: payer, amount: 1 });
  const redemptions = page.getByRole('region', { name: 'Redemptions' });
  await expect(redemptions.getByRole('link')).toHaveAttribute('href', /\/transactions\//);
  const history = page.getByRole('region', { name: 'History' });
  await till.post('/transactions/void', { transactionIds: [transactionId] });
  await expect(history.getByRole('listitem').nth(-2)).toContainText('Redeemed: $0.01 of stored value');
  await expect(history.getByRole('listitem').last()).toContainText('Taken back: $0.01 of stored value');
  await expectAccessible(page);

  await till.post(`/bills/${billId}/close`, { staffId: 'S-7' });
  await expect(page.getByText('Closed', { exact: true }).first()).toBeVisible();
  await page.getByRole('link', { name: 'Bills' }).last().click();
  await expect(page.getByRole('row', { name: new RegExp(table) })).toHaveCount(0);
  await page.getByLabel('Status').selectOption('Closed');
  await expect(page.getByRole('row', { name: new RegExp(table) })).toContainText('Closed');
});

test('a refund needs an amount of the payment, and a reason; then it stands in the history, for cashiers too', async ({
  page,
  merchant,
  till,
}) => {
  const [billId, table] = [newBillId(), uniqueName('Garden')];
  await send(till, billId, { revision: 1, table, laksas: 2 });
  await payOnBill(billId, { amount: 1_780, tip: 178, guestName: 'Mei' });
  await openBills(page, merchant);
  const link = page.getByRole('row', { name: new RegExp(table) }).getByRole('link');
  await link.click();
  await page.getByRole('button', { name: 'Refund Mei', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByLabel('Amount')).toHaveValue('19.58');
  await dialog.getByLabel('Amount').fill('19.59');
  await dialog.getByRole('button', { name: 'Refund' }).click();
  await expect(dialog.getByLabel('Amount')).toHaveAttribute('aria-invalid', 'true');
  await expect(dialog.getByLabel('Reason')).toHaveAttribute('aria-invalid', 'true');
  await expectAccessible(page);
  await dialog.getByLabel('Amount').fill('8.90');
  await dialog.getByLabel('Reason').fill('Cold soup');
  await dialog.getByRole('button', { name: 'Refund' }).click();
  await expect(dialog).toHaveCount(0);
  const history = page.getByRole('region', { name: 'History' });
  await expect(history).toContainText('Refunded $8.90');
  await expect(history).toContainText('Cold soup');
  await expect(page.getByText('$8.90 is on its way back')).toBeVisible();

  const cashier = merchant.staff.find(({ role }) => role === 'cashier');
  await signIn(page, { owner: cashier ?? merchant.owner }, '/bills');
  await page.getByLabel('Store').selectOption(merchant.stores[0]?.name ?? '');
  await link.click();
  await expect(history).toContainText('Cold soup');
  await expect(page.getByRole('button', { name: 'Refund Mei' })).toHaveCount(0);
});
