import type { Page } from '@playwright/test';
import { expectAccessible, expectScreenAccessible } from '../fixtures/accessibility';
import { scan } from '../fixtures/card';
import type { DemoMerchant } from '../fixtures/demo';
import { orderAtTable } from '../fixtures/order-at-table';
import { signIn, viewports } from '../fixtures/screens';
import { expect, test } from '../fixtures/test';
import { newBillId } from '../fixtures/till';
import { uniqueName } from '../fixtures/unique';

async function openCodes(page: Page, merchant: DemoMerchant): Promise<void> {
  await signIn(page, merchant, '/qr-codes');
  await page.getByLabel('Store').selectOption(merchant.stores[0]?.name ?? '');
}

const price = (minor: number) => `$${(minor / 100).toFixed(2)}`;

/** Creates a code on the screen; ends on its page. */
async function makeCode(page: Page, merchant: DemoMerchant, table: string): Promise<void> {
  await page.getByRole('button', { name: 'New code' }).first().click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText(`The table is at ${merchant.stores[0]?.name}.`);
  await dialog.getByLabel('Table').fill(table);
  await dialog.getByRole('button', { name: 'Create code' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(table);
}

test.describe('on a phone', () => {
  test.use({ viewport: viewports.phone });

  test('a code is created for a table, used to order, and closed; the diners’ page says so', async ({
    page,
    merchant,
    context,
  }) => {
    const table = uniqueName('Terrace');
    await openCodes(page, merchant);
    await makeCode(page, merchant, table);
    const qrCodeId = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    const opening = context.waitForEvent('page');
    await page.getByRole('link', { name: 'Open the diners’ page' }).click();
    const diners = await opening;
    await expect(diners.getByText(table)).toBeVisible();

    const { number, total } = await orderAtTable(qrCodeId, [{ plu: merchant.menu[0]?.plu ?? '', quantity: 3 }]);
    await expect(page.getByText(merchant.menu[0]?.name ?? '')).toBeVisible();
    await expect(page.getByText(`#${number}`, { exact: true })).toBeVisible();

    await page.getByRole('button', { name: 'Close code' }).click();
    await expect(page.getByRole('alertdialog')).toContainText(`1 order, ${price(total)}, is not served yet.`);
    await page.getByRole('alertdialog').getByRole('button', { name: 'Close code' }).click();
    await expect(page.getByText('This code no longer takes orders.')).toBeVisible();
    await expect(diners.getByRole('heading', { level: 1 })).toHaveText('This QR code is closed');
    await expect(diners.getByText(merchant.name, { exact: true })).toBeVisible();
  });

  test('several codes are selected and closed together', async ({ page, merchant, till }) => {
    const billId = newBillId();
    const table = uniqueName('Garden');
    const lines = [{ plu: merchant.menu[0]?.plu ?? '', quantity: 1 }];
    let total = 0;
    for (const bill of [billId, newBillId()]) {
      const { qrCodeId } = await till.generateQrCode({ billId: bill, table });
      total += (await orderAtTable(qrCodeId, lines)).total;
    }
    await openCodes(page, merchant);
    await page.getByLabel('Table or bill number').fill(table);
    await expect(page.getByRole('link', { name: table })).toHaveCount(2);
    await page.getByLabel('Select all on this page').check();
    await page.getByRole('button', { name: 'Close 2 codes' }).click();
    await expect(page.getByRole('alertdialog')).toContainText(`2 orders, ${price(total)}, are not served yet.`);
    await page.getByRole('alertdialog').getByRole('button', { name: 'Close 2 codes' }).click();
    await expect(page.getByText('2 codes are closed.')).toBeVisible();
    await expect(page.getByText('No results')).toBeVisible();
    await page.getByLabel('Status').selectOption('Settled');
    await expect(page.getByRole('row').filter({ hasText: billId })).toContainText('Settled');
  });
});

test('a till’s code is found by its bill, with its current state', async ({ page, merchant, till }) => {
  const billId = newBillId();
  const table = uniqueName('Bar');
  await till.generateQrCode({ billId, table });
  await openCodes(page, merchant);
  await page.getByLabel('Table or bill number').fill(billId);
  await expect(page.getByRole('row').filter({ hasText: billId })).toContainText('Active');
  await till.post('/qr-codes/invalidate', { billId });
  await expect(page.getByText('No results')).toBeVisible();
  await page.getByLabel('Status').selectOption('Settled');
  await expect(page.getByRole('row').filter({ hasText: billId })).toContainText('Settled');
  await page.getByLabel('Table or bill number').fill(table);
  await expect(page).toHaveURL(new RegExp(`search=${encodeURIComponent(table.split(' ')[0] ?? '')}`));
  await page.getByRole('link', { name: table }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(table);
});

test('a second code for the same open bill: the screen says that one exists', async ({ page, merchant, till }) => {
  const billId = newBillId();
  const table = uniqueName('Bar');
  const { qrCodeId } = await till.generateQrCode({ billId, table });
  await openCodes(page, merchant);
  await page.getByRole('button', { name: 'New code' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Create code' }).click();
  await expect(dialog.getByLabel('Table')).toHaveAccessibleDescription('Required');
  await dialog.getByLabel('Table').fill('another');
  await dialog.getByLabel('Bill').fill(billId);
  await dialog.getByRole('button', { name: 'Create code' }).click();
  await expect(page.getByText('This bill already has an open code.')).toBeVisible();
  await expect(page).toHaveURL(`/qr-codes/${qrCodeId}`);
});

/** How many pages a PDF has. */
const pagesOf = (pdf: Buffer): number => pdf.toString('latin1').match(/\/Type\s*\/Page\b(?!s)/g)?.length ?? 0;

test('table cards fill their sheets: as many pages as it takes, each of its paper’s size', async ({
  page,
  merchant,
  till,
}) => {
  const hall = uniqueName('Hall');
  const codes = [];
  for (let n = 1; n <= 5; n++) codes.push(await till.generateQrCode({ billId: newBillId(), table: `${hall} ${n}` }));
  await openCodes(page, merchant);
  await page.getByRole('link', { name: 'Print table cards' }).click();
  await page.waitForURL('**/qr-codes/print?*');
  const store = new URL(page.url()).searchParams.get('store');
  const chosen = codes.map(({ qrCodeId }) => qrCodeId).join(',');
  for (const [size, pages] of [
    ['a6', 5],
    ['a4x4', 2],
    ['a4x8', 1],
    ['tent', 3],
    ['round', 1],
    ['square', 1],
  ] as const) {
    await page.goto(`/qr-codes/print?store=${store}&size=${size}&code=${chosen}`);
    await expect(page.getByRole('button', { name: 'Print 5 cards' })).toBeVisible();
    await expect(page.getByText('Its code stops working when the bill is settled')).toBeVisible();
    await expect(page.locator('.table-card')).toHaveCount(5);
    const pdf = await page.pdf({ preferCSSPageSize: true });
    expect(pagesOf(pdf), size).toBe(pages);
    const [code] = codes;
    const image = page.getByRole('img', { name: `QR code of ${hall} 1` });
    expect(scan(await image.screenshot()), size).toBe(code?.url);
    await expect(page.getByRole('article').filter({ has: image })).toContainText(code?.url.split('//')[1] ?? '');
  }
  await page.getByLabel('Second language').selectOption('简体中文');
  await page.getByLabel('Line on the cards').fill('Wi-Fi: Kopi');
  await expect(page.getByText('扫码点餐')).toHaveCount(5);
  await expect(page.getByText('Wi-Fi: Kopi', { exact: true })).toHaveCount(5);
  await expect(page.getByText('For this visit only')).toHaveCount(5);
  await page.getByLabel(`${hall} 1`).uncheck();
  await expect(page.getByRole('button', { name: 'Print 4 cards' })).toBeVisible();
});

test('the list, a code, its dialogs and the cards are accessible', async ({ page, merchant, till }) => {
  const { qrCodeId } = await till.generateQrCode({ billId: newBillId(), table: uniqueName('Bar') });
  await orderAtTable(qrCodeId, [{ plu: merchant.menu[0]?.plu ?? '', quantity: 3, note: 'no chilli' }], 'Birthday');
  await openCodes(page, merchant);
  await expect(page.getByRole('row').nth(1)).toBeVisible();
  await expectScreenAccessible(page);
  await page.getByRole('button', { name: 'New code' }).first().click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await expectAccessible(page);
  await page.goto(`/qr-codes/${qrCodeId}`);
  await expect(page.getByText('no chilli')).toBeVisible();
  await expectScreenAccessible(page);
  await page.getByRole('link', { name: 'Print card' }).click();
  await expect(page.locator('.table-card')).toHaveCount(1);
  await expectAccessible(page);
});
