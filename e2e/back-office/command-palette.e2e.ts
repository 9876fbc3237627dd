import type { Page } from '@playwright/test';
import { expectAccessible, expectScreenAccessible } from '../fixtures/accessibility';
import { signIn, viewports } from '../fixtures/screens';
import { expect, test } from '../fixtures/test';
import { uniqueName } from '../fixtures/unique';

const palette = (page: Page) => page.getByRole('dialog', { name: 'Go to' });
const option = (page: Page, name: string | RegExp) => palette(page).getByRole('option', { name });
async function open(page: Page, by = () => page.keyboard.press('Control+k')): Promise<void> {
  // A page listens to its keys and buttons once its script runs.
  await expect(async () => {
    if (!(await palette(page).isVisible())) await by();
    await expect(palette(page).getByRole('combobox')).toBeFocused({ timeout: 1_000 });
  }).toPass();
}

test('opens a screen by keyboard alone, and Escape goes back', async ({ page, merchant }) => {
  await signIn(page, merchant, '/home');
  await page.getByRole('heading', { level: 1 }).waitFor();
  await open(page);
  await page.keyboard.type('audit');
  await expect(palette(page).getByRole('option')).toHaveCount(1);
  await expect(option(page, 'Audit log')).toHaveAttribute('data-highlighted');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/audit-log$/);
  await expect(palette(page)).toHaveCount(0);

  await open(page);
  await page.keyboard.type('refund');
  await expect(option(page, /Transactions\s*refund/)).toBeVisible();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('kopi');
  await expect(palette(page).getByRole('group', { name: 'Menu items' }).getByRole('option').first()).toBeVisible();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('set');
  await page.keyboard.press('Escape');
  await expect(palette(page)).toHaveCount(0);
  await expect(page).toHaveURL(/\/audit-log$/);
  await open(page);
  await expect(palette(page).getByRole('combobox')).toHaveValue('');
});

test('finds a customer, a transaction and a store', async ({ page, merchant, till }) => {
  const id = uniqueName('palette').replace(' ', '-');
  const email = `${id}@example.com`;
  await till.post('/customers', { givenName: 'Quill', lastName: id, email });
  await till.send('/transactions/stored-value/redeem', { transactionId: id, customer: { email }, amount: 1 });
  await signIn(page, merchant, '/home');
  await page.getByRole('heading', { level: 1 }).waitFor();

  await open(page);
  await page.keyboard.type(id);
  await expect(option(page, new RegExp(`Quill ${id}`))).toBeVisible();
  await expect(option(page, /Stored-value redemption/)).toBeVisible();
  await expect(palette(page).getByRole('status')).toHaveText('2 results');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Stored-value redemption');

  await open(page);
  await page.keyboard.type(id);
  await option(page, new RegExp(`Quill ${id}`)).click();
  await expect(page).toHaveURL(/\/customers\/[0-9a-f-]+$/);

  const [store] = merchant.stores;
  await open(page);
  await page.keyboard.type(store?.storeCode ?? '');
  await option(page, new RegExp(store?.name ?? '')).click();
  await expect(page).toHaveURL(/\/transactions\?storeId=/);
  await expect(page.getByLabel('Store', { exact: true }).locator('option:checked')).toHaveText(store?.name ?? '');
});

test('shows a cashier only what cashiers may open', async ({ page, merchant }) => {
  const cashier = merchant.staff.find(({ role }) => role === 'cashier');
  if (!cashier) throw new Error('the demo has no cashier');
  await signIn(page, { owner: cashier }, '/home');
  await page.getByRole('heading', { level: 1 }).waitFor();
  await open(page);
  await expect(option(page, 'Stock-outs')).toBeVisible();
  for (const hidden of ['Audit log', 'API keys', 'Reports']) await expect(option(page, hidden)).toHaveCount(0);
  // A store is a manager's to open.
  await page.keyboard.type(merchant.stores[0]?.name ?? '');
  await expect(palette(page)).toContainText('No results');
});

test('on a phone, opens by its button, and is accessible', async ({ page, merchant }) => {
  await page.setViewportSize(viewports.phone);
  await signIn(page, merchant, '/home');
  await open(page, () => page.getByRole('button', { name: 'Go to…' }).click());
  await expect(option(page, 'Customers')).toBeVisible();
  await expectScreenAccessible(page);
  await palette(page).getByRole('combobox').fill('zzz nobody');
  await expect(palette(page)).toContainText('No results');
  await expectAccessible(page);
});
