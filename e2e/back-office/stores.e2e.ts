import type { Page } from '@playwright/test';
import { expectAccessible, expectScreenAccessible } from '../fixtures/accessibility';
import { signIn, viewports } from '../fixtures/screens';
import { expect, test } from '../fixtures/test';
import { openTill } from '../fixtures/till';
import { uniqueName } from '../fixtures/unique';

const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });

async function createStore(page: Page, name: string, storeCode: string): Promise<void> {
  await page.getByRole('button', { name: 'New store' }).click();
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByLabel('Store code').fill(storeCode);
  await page.getByRole('button', { name: 'Create store' }).click();
}

test('on a phone, a store is opened, renamed, closed and reopened', async ({ page, demo, merchant }) => {
  await page.setViewportSize(viewports.phone);
  await signIn(page, merchant, '/stores');
  const name = uniqueName('Bay');
  const storeCode = name.toUpperCase().replace(' ', '-');
  const till = openTill(demo.origin, merchant.merchantApiKey);
  const ask = () => till.send('/stock-outs', { storeCode, plus: ['e2e-none'] });
  expect((await ask()).code).toBe('store_not_found');

  await createStore(page, name, storeCode);
  await expect(row(page, name)).toContainText('Open');
  expect((await ask()).status).toBe(200);

  await createStore(page, `${name} again`, storeCode.toLowerCase());
  await expect(page.getByText('Another store has this code.').first()).toBeVisible();
  await page.getByRole('button', { name: 'Cancel' }).click();

  await row(page, name).getByRole('button', { name: 'Edit' }).click();
  await page.getByLabel('Name', { exact: true }).fill(`${name} Sands`);
  await page.getByLabel('Address').fill('10 Bayfront Avenue, Singapore 018956');
  await page.getByLabel('Phone number').fill('+65 6123 4567');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(row(page, `${name} Sands`)).toBeVisible();

  await row(page, name).getByRole('button', { name: 'Close store' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Close store' }).click();
  await expect(row(page, name)).toContainText('Closed since');
  expect((await ask()).code).toBe('store_not_found');
  await row(page, name).getByRole('button', { name: 'Reopen' }).click();
  await expect(row(page, name).getByRole('button', { name: 'Close store' })).toBeVisible();
  expect((await ask()).status).toBe(200);
  await row(page, name).getByRole('button', { name: 'Close store' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Close store' }).click();
  await expect(row(page, name)).toContainText('Closed since');
});

test('a store whose diners are ordering cannot be closed, and the screen says why', async ({
  page,
  merchant,
  till,
}) => {
  await till.generateQrCode({ billId: uniqueName('bill').replace(' ', '-') });
  await signIn(page, merchant, '/stores');
  const [store] = merchant.stores;
  await row(page, store?.storeCode ?? '')
    .getByRole('button', { name: 'Close store' })
    .click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Close store' }).click();
  await expect(page.getByText(/has \d+ active QR codes/).first()).toBeVisible();
  await expect(row(page, store?.storeCode ?? '')).toContainText('Open');
});

test('stores are accessible, also with the dialog open', async ({ page, merchant }) => {
  await signIn(page, merchant, '/stores');
  await expect(row(page, merchant.stores[0]?.storeCode ?? '')).toBeVisible();
  await expectScreenAccessible(page);
  await page.getByRole('button', { name: 'New store' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await expectAccessible(page);
});
