/** Open bills as staff see them while a till and diners change them. */
import type { Page } from '@playwright/test';
import { expectAccessible } from '../fixtures/accessibility';
import type { DemoMerchant } from '../fixtures/demo';
import { payOnBill } from '../fixtures/pay-on-bill';
import { signIn, viewports } from '../fixtures/screens';
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
    ...{ revision, table, currency: 'SGD' },
    lines: [{ plu: 'N001', name: 'Laksa', quantity: laksas, unitPrice: 890, amount }],
    ...{ subtotal: amount, discount: 0, serviceCharge: 0, tax: 0, total: amount },
  });
};

async function openBills(page: Page, merchant: DemoMerchant): Promise<void> {
  await signIn(page, merchant, '/bills');
  await page.getByLabel('Store').selectOption(merchant.stores[0]?.name ?? '');
}

for (const [device, viewport] of Object.entries(viewports)) {
  test(`on a ${device}, a bill appears by itself, and its page tells all that happens on it`, async ({
    page,
    merchant,
    till,
  }) => {
    await page.setViewportSize(viewport);
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
    await expectAccessible(page);

    await till.post(`/bills/${billId}/close`, { staffId: 'S-7' });
    await expect(page.getByText('Closed', { exact: true }).first()).toBeVisible();
    await page.getByRole('link', { name: 'Bills' }).last().click();
    await expect(page.getByRole('row', { name: new RegExp(table) })).toHaveCount(0);
    await page.getByLabel('Status').selectOption('Closed');
    await expect(page.getByRole('row', { name: new RegExp(table) })).toContainText('Closed');
  });
}
