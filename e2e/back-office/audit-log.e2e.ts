import type { Page } from '@playwright/test';
import { expectAccessible, expectScreenAccessible } from '../fixtures/accessibility';
import { openFilters, signIn, viewports } from '../fixtures/screens';
import { expect, test } from '../fixtures/test';
import { newBillId } from '../fixtures/till';

const rows = (page: Page) =>
  page
    .getByRole('table')
    .getByRole('row')
    .filter({ has: page.getByRole('cell') });

test('on a phone, a till’s change is found by actor, action and item, and exported', async ({
  page,
  merchant,
  till,
}) => {
  const billId = newBillId();
  await till.generateQrCode({ billId });
  await till.post('/qr-codes/invalidate', { billId });
  await page.setViewportSize(viewports.phone);
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
  // The calendar opens with today, which starts a new range: by keyboard, a month back and on by nine days.
  const calendar = page.getByRole('dialog', { name: 'Choose dates' });
  await expect(calendar.getByRole('button', { name: /, today/ })).toBeFocused();
  await page.keyboard.press('PageUp');
  await page.keyboard.press('Shift+PageUp');
  await page.keyboard.press('Enter');
  await expect(calendar.getByRole('status').last()).toHaveText('Choose the last day.');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await calendar.getByRole('button', { name: 'Apply' }).click();
  await expect(calendar).toBeHidden();
  const { from, until } = Object.fromEntries(new URL(page.url()).searchParams);
  expect(Date.parse(until ?? '') - Date.parse(from ?? '')).toBe(8 * 86_400_000);
  expect(Date.now() - Date.parse(until ?? '')).toBeGreaterThan(365 * 86_400_000);
  await expect(page.getByRole('button', { name: 'Filters (2)' })).toBeVisible();
  await expect(page.getByText('No results')).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(rows(page).first()).toBeVisible();
});

test('the audit log is accessible', async ({ page, merchant }) => {
  await signIn(page, merchant, '/audit-log');
  await expect(rows(page).first()).toBeVisible();
  await expectScreenAccessible(page);
  await page.getByLabel('Period').selectOption('Custom range');
  await expect(page.getByRole('grid')).toBeVisible();
  await expectAccessible(page);
});
