import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { expectAccessible, expectScreenAccessible } from '../fixtures/accessibility';
import { openFilters, signIn, viewports } from '../fixtures/screens';
import { expect, test } from '../fixtures/test';
import type { Till } from '../fixtures/till';
import { uniqueName } from '../fixtures/unique';

/** A new customer who topped up 100.00 and redeemed 30.00 of the 120.00. */
async function visit(till: Till, storeCode: string) {
  const id = uniqueName('visit').replace(' ', '-');
  const email = `${id}@example.com`;
  const customer = { email };
  await till.post('/customers', { givenName: 'Visitor', lastName: id, email });
  const { packages } = await till.get<{ packages: { packageId: string; amount: number; creditedAmount: number }[] }>(
    `/stores/${storeCode}/stored-value-packages`,
  );
  const offer = packages.find(({ amount, creditedAmount }) => amount === 10_000 && creditedAmount === 12_000);
  if (!offer) throw new Error('the demo has no package that pays 100 and gets 120');
  const topUp = { transactionId: `${id}-top-up`, customer, packageId: offer.packageId, billId: id };
  await till.post('/transactions/stored-value/top-up', topUp);
  await till.post('/transactions/stored-value/redeem', {
    transactionId: `${id}-redeem`,
    customer,
    amount: 3_000,
    billId: id,
    occurredAt: new Date(Date.now() - 3_600_000).toISOString(),
  });
  const balance = async () => {
    const path = `/customers/email/${encodeURIComponent(email)}/balances`;
    const { storedValue } = await till.get<{ storedValue: { balance: number } }>(path);
    return storedValue.balance;
  };
  return { id, balance };
}

const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });
const dialog = (page: Page) => page.getByRole('dialog');
async function search(page: Page, text: string): Promise<void> {
  await page.getByRole('searchbox').fill(text);
  await expect(page).toHaveURL(new RegExp(`search=${text}`));
}

test('on a phone, a redemption is found, opened and voided', async ({ page, merchant, till }) => {
  const { id, balance } = await visit(till, merchant.stores[0]?.storeCode ?? '');
  await page.setViewportSize(viewports.phone);
  await signIn(page, merchant, '/transactions');
  await search(page, id);
  await expect(row(page, `${id}-top-up`)).toBeVisible();
  await openFilters(page);
  await page.getByLabel('Type').selectOption('Stored-value redemption');
  await expect(row(page, `${id}-top-up`)).toHaveCount(0);
  await row(page, `${id}-redeem`).getByRole('link').click();

  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Stored-value redemption');
  await expect(page.getByRole('region', { name: 'Same bill' })).toContainText(`${id}-top-up`);
  await expect(page.getByText(/^Made at the till at /)).toBeVisible();
  expect(await balance()).toBe(9_000);
  await page.getByRole('button', { name: 'Partial refund…' }).click();
  await dialog(page).getByLabel('Amount to refund').fill('30');
  await dialog(page).getByLabel('Reason').fill('Cold soup');
  await dialog(page).getByRole('button', { name: 'Refund' }).click();
  await expect(dialog(page)).toContainText('Enter less than');
  await dialog(page).getByLabel('Amount to refund').fill('12');
  await expect(dialog(page)).toContainText('$30.00 becomes $18.00');
  await expectAccessible(page);
  await dialog(page).getByRole('button', { name: 'Refund' }).click();
  await expect(page.getByText(/^\+\$12\.00 · .* · Cold soup$/)).toBeVisible();
  await expect(page.getByText(`${id}-redeem`, { exact: true })).toBeVisible();
  expect(await balance()).toBe(10_200);
  await page.getByRole('button', { name: 'Void…' }).click();
  const changes = dialog(page).getByRole('region', { name: 'Changes' });
  await expect(changes).toContainText(/Visitor.*\$\d+.*\$\d+/s);
  await dialog(page).getByRole('button', { name: 'Void transaction' }).click();
  await expect(dialog(page)).toContainText('Required');
  await dialog(page).getByLabel('Reason').fill('Rung up twice');
  await dialog(page).getByRole('button', { name: 'Void transaction' }).click();

  await expect(page.getByText('Reason: Rung up twice')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Void…' })).toHaveCount(0);
  expect(await balance()).toBe(12_000);
});

test('a spent top-up lists its redemptions, and they are voided together', async ({ page, merchant, till }) => {
  const { id, balance } = await visit(till, merchant.stores[0]?.storeCode ?? '');
  await signIn(page, merchant, `/transactions?search=${id}-top-up`);
  await row(page, `${id}-top-up`).getByRole('link').click();
  await page.getByRole('button', { name: 'Void…' }).click();
  await expect(dialog(page)).toContainText('Its value was spent by:');
  await expect(dialog(page)).toContainText(`${id}-redeem`);
  await expect(dialog(page).getByLabel('Reason')).toHaveCount(0);
  await dialog(page).getByRole('button', { name: 'Also void the transaction that spent it' }).click();
  await dialog(page).getByLabel('Reason').fill('The card was declined');
  await dialog(page).getByRole('button', { name: 'Void 2 transactions' }).click();
  await expect(page.getByRole('region', { name: 'Voided together with it' })).toContainText(`${id}-redeem`);
  expect(await balance()).toBe(0);
});

test('several are voided together from the list by keyboard alone', async ({ page, merchant, till }) => {
  const { id, balance } = await visit(till, merchant.stores[0]?.storeCode ?? '');
  await signIn(page, merchant, '/transactions');
  await page.getByRole('searchbox').focus();
  await page.keyboard.type(id);
  await expect(page.getByRole('row')).toHaveCount(3);
  await tabTo(page, 'Select all on this page');
  await page.keyboard.press('Space');
  await expect(page.getByRole('status').filter({ hasText: '2 selected' })).toBeVisible();
  await page.keyboard.press('Shift+Tab');
  await expect(page.getByRole('button', { name: 'Void…' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(dialog(page).getByLabel('Reason')).toBeVisible();
  await tabTo(page, 'Reason');
  await page.keyboard.type('Wrong guest');
  await page.keyboard.press('Enter');
  await expect(page.getByText('2 transactions voided')).toBeVisible();
  await expect(row(page, id).filter({ hasText: 'Voided' })).toHaveCount(2);
  expect(await balance()).toBe(0);
});

/** Presses Tab until the control with that label has the focus. */
async function tabTo(page: Page, label: string): Promise<void> {
  const isThere = () => page.getByLabel(label).evaluate((control) => control === document.activeElement);
  for (let presses = 0; presses < 30 && !(await isThere()); presses++) await page.keyboard.press('Tab');
  await expect(page.getByLabel(label)).toBeFocused();
}

test('the CSV has the same rows as the list', async ({ page, merchant, till }) => {
  const { id } = await visit(till, merchant.stores[0]?.storeCode ?? '');
  await signIn(page, merchant, `/transactions?search=${id}&type=topUp`);
  await expect(row(page, `${id}-top-up`)).toBeVisible();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Export CSV' }).click(),
  ]);
  const lines = readFileSync(await download.path(), 'utf8')
    .trim()
    .split('\n');
  expect(lines).toHaveLength(2);
  expect(lines[1]).toContain(`${id}-top-up,topUp,completed`);
});

test('transactions are accessible: the list, one of them, and the dialog', async ({ page, merchant, till }) => {
  const { id } = await visit(till, merchant.stores[0]?.storeCode ?? '');
  await signIn(page, merchant, '/transactions');
  await expect(row(page, `${id}-top-up`)).toBeVisible();
  await expectScreenAccessible(page);
  await page.goto(`/transactions?search=${id}-top-up`);
  await row(page, `${id}-top-up`).getByRole('link').click();
  await expect(page.getByRole('region', { name: 'Ledger' })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Void…' }).click();
  await dialog(page).getByRole('button', { name: 'Also void the transaction that spent it' }).click();
  await expect(dialog(page).getByLabel('Reason')).toBeVisible();
  await expectAccessible(page);
});
