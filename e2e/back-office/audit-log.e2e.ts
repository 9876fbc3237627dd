import type { Page } from '@playwright/test';
import { expectAccessible } from '../fixtures/accessibility';
import { openFilters, signIn, viewports } from '../fixtures/screens';
import { expect, test } from '../fixtures/test';
import { newBillId } from '../fixtures/till';

const rows = (page: Page) =>
  page
    .getByRole('table')
    .getByRole('row')
    .filter({ has: page.getByRole('cell') });

for (const viewport of Object.values(viewports)) {
  test(`a till’s change is found by actor, action and item, and exported, at ${viewport.width} px`, async ({
    page,
    merchant,
    till,
  }) => {
    const billId = newBillId();
    await till.generateQrCode({ billId });
    await till.post('/qr-codes/invalidate', { billId });
    await page.setViewportSize(viewport);
    await signIn(page, merchant, '/audit-log');
    await openFilters(page);
    await page.getByLabel('Action', { exact: true }).selectOption('Created a QR code');
    const made = rows(page).filter({ hasText: billId });
    await expect(made).toHaveCount(1);
    await expect(made).toContainText('Key POS');
    await expect(made).toContainText(`Bill ${billId}`);
    await made.getByRole('button').click();
    await page.getByLabel('Action', { exact: true }).selectOption('All actions');
    await expect(rows(page)).toHaveCount(2);
    await expect(rows(page).first()).toContainText('Closed a QR code');

    const href = (await page.getByRole('link', { name: 'Export CSV' }).getAttribute('href')) ?? '';
    const csv = await (await page.request.get(href)).text();
    expect(csv.trim().split('\n')).toHaveLength(3);
    expect(csv).toContain('qrCode.invalidate');

    await page.getByRole('button', { name: /^Only QR code/ }).click();
    await page.getByLabel('Staff', { exact: true }).selectOption('System');
    await page.getByLabel('Period').selectOption('Today');
    await expect(page).toHaveURL(/from=\d{4}-\d\d-\d\d&until=/);
    await page.getByLabel('Period').selectOption('Custom range');
    await page.getByLabel('From', { exact: true }).fill('');
    await page.getByLabel('To', { exact: true }).fill('2020-01-01');
    if (viewport === viewports.phone) await expect(page.getByRole('button', { name: 'Filters (2)' })).toBeVisible();
    await expect(page.getByText('No results')).toBeVisible();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await expect(rows(page).first()).toBeVisible();
  });
}

test('the audit log is accessible', async ({ page, merchant }) => {
  test.setTimeout(60_000);
  await signIn(page, merchant, '/audit-log');
  await expect(rows(page).first()).toBeVisible();
  await expectAccessible(page);
});
