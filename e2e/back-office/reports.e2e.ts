import type { Page } from '@playwright/test';
import { parse } from 'csv-parse/sync';
import { expectAccessible, expectScreenAccessible } from '../fixtures/accessibility';
import { figureIn, topUpOnce } from '../fixtures/figures';
import { signIn } from '../fixtures/screens';
import { expect, test } from '../fixtures/test';

const byStore = (page: Page) => page.getByRole('table', { name: 'By store' });
/** Of a row: the figure under a heading. */
async function cell(page: Page, rowName: RegExp, heading: string): Promise<number> {
  const row = byStore(page).getByRole('row', { name: rowName });
  await expect(row).toBeVisible();
  const headings = await byStore(page).getByRole('columnheader').allInnerTexts();
  const cells = await row.locator('th, td').allInnerTexts();
  return figureIn(cells[headings.indexOf(heading)] ?? '');
}

test('a top-up of the till is in today’s stored value', async ({ page, merchant, till }) => {
  const [store] = merchant.stores;
  const row = new RegExp(`^${store?.name}\\s*Paid balance`);
  await signIn(page, merchant);
  // Something must have been booked, for the store to have a row.
  await topUpOnce(till, store?.storeCode ?? '');
  await page.goto('/reports?report=liability&period=today');
  const before = await cell(page, row, 'Added by top-ups');
  const { principal } = await topUpOnce(till, store?.storeCode ?? '');
  await page.reload();
  await expect.poll(() => cell(page, row, 'Added by top-ups')).toBeGreaterThanOrEqual(before + principal / 100);
  let sum = await cell(page, row, 'Opening balance');
  for (const movement of ['Added by top-ups', 'Stored value redeemed', 'Bonus expired', 'Adjustments'])
    sum += await cell(page, row, movement);
  expect(sum).toBeCloseTo(await cell(page, row, 'Closing balance'), 2);
});

/** Days that nothing is added to any more. */
const week = (() => {
  const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
  return `period=custom&from=${day(9)}&until=${day(3)}`;
})();

test.describe('the CSV is the table', () => {
  for (const report of ['liability', 'points']) {
    test(report, async ({ page, merchant }) => {
      await signIn(page, merchant, `/reports?report=${report}&${week}`);
      await expect(byStore(page)).toBeVisible();
      const body = byStore(page).locator('tbody tr');
      const shown = (await body.evaluateAll((rows) =>
        rows.map((row) => [...row.querySelectorAll('td')].map((one) => one.textContent ?? '')),
      )) as string[][];
      const csv = await download(page);
      expect(csv.map(({ store, part, ...figures }) => Object.values(figures).map(Number))).toEqual(
        shown.map((row) => row.map(figureIn)),
      );
    });
  }

  test('sales, of one store', async ({ page, merchant }) => {
    await signIn(page, merchant, `/reports?report=sales&${week}`);
    await page.getByLabel('Store', { exact: true }).selectOption({ label: merchant.stores[0]?.name ?? '' });
    await page.waitForURL(/store=/);
    await expect(byStore(page).locator('tbody tr')).toHaveCount(1);
    const rows = page.getByRole('table', { name: 'By day' }).locator('tbody tr');
    const shown = await rows.evaluateAll((all) => all.map((row) => row.querySelector('td')?.textContent ?? ''));
    const csv = await download(page);
    expect(csv.length).toBeGreaterThan(3);
    expect(csv.map(({ sales }) => Number(sales))).toEqual(
      shown
        .map(figureIn)
        .filter((sales) => sales !== 0)
        .reverse(),
    );
  });
});

async function download(page: Page, name = 'Export CSV'): Promise<Record<string, string>[]> {
  const href = await page.getByRole('link', { name, exact: true }).getAttribute('href');
  const answer = await page.request.get(href ?? '');
  expect(answer.status()).toBe(200);
  return parse(await answer.text(), { bom: true, columns: true });
}

test('the address keeps the report and its days; the keyboard goes from one to the next', async ({
  page,
  merchant,
}) => {
  await signIn(page, merchant);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(...(request.url().match(/reports\.\w+/g) ?? [])));
  await page.goto('/reports');
  await expect(byStore(page)).toBeVisible();
  // Of the reports only the one in sight.
  await expect.poll(() => new Set(asked)).toEqual(new Set(['reports.sales', 'reports.breakdown']));
  await page.getByRole('tab', { name: 'Sales' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(page).toHaveURL(/report=payments/);
  await page.keyboard.press('ArrowLeft');
  await page.getByLabel('Compare with').selectOption('lastYear');
  await expect(page).toHaveURL(/compare=lastYear/);
  await page.getByLabel('Period').selectOption('week');
  await expect(page).toHaveURL(/period=week/);
  const days = page.getByRole('table', { name: 'By day' }).getByRole('row');
  await expect(days).toHaveCount(8);
  await page.reload();
  await expect(page.getByRole('tab', { name: 'Sales' })).toHaveAttribute('aria-selected', 'true');
  await expect(days).toHaveCount(8);
});

test('sales are broken down by item, hour, payment method and staff, each to the same file', async ({
  page,
  merchant,
}) => {
  await signIn(page, merchant, `/reports?report=sales&${week}`);
  for (const by of ['By item', 'By hour', 'By payment method', 'By staff']) {
    await page.getByRole('group', { name: 'Break sales down' }).getByRole('button', { name: by }).click();
    const rows = page.getByRole('table', { name: by }).locator('tbody tr');
    await expect(rows).not.toHaveCount(0);
    const all = page.getByRole('button', { name: /^Show all \d+$/ });
    if (await all.isVisible()) await all.click();
    const shown = await rows.evaluateAll((all) => all.map((row) => row.querySelectorAll('td')[1]?.textContent ?? ''));
    const csv = await download(page, `Export: ${by} (CSV)`);
    expect(csv.map(({ sales }) => Number(sales))).toEqual(shown.map(figureIn));
  }
});

test('days the wrong way round are said to be so', async ({ page, merchant }) => {
  await signIn(page, merchant, '/reports?period=custom&from=2026-05-02&until=2026-05-01');
  await expect(page.getByRole('main').getByRole('alert')).toHaveText('The end date is before the start date.');
});

test('reports are accessible', async ({ page, merchant }) => {
  await signIn(page, merchant);
  for (const report of ['liability', 'sales', 'vouchers', 'points']) {
    await page.goto(`/reports?report=${report}`);
    await expect(page.getByRole('group', { name: /^Chart/ })).toBeVisible();
    await expectScreenAccessible(page);
  }
  await page.goto('/reports?report=voids');
  // A tab is a keyboard's stop once the page's script runs.
  await expect(page.getByRole('tab', { name: 'Voids and refunds' })).toHaveAttribute('tabindex', '0');
  await expectScreenAccessible(page);
  await page.goto('/reports?report=balances');
  await expect(page.getByRole('table', { name: 'Balances by customer' }).getByRole('row')).not.toHaveCount(0);
  await expectScreenAccessible(page);
  await page.getByRole('button', { name: /^Day\s*\d/ }).click();
  await expect(page.getByRole('button', { name: /, today, selected$/ })).toBeFocused();
  await expectAccessible(page);
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/day=\d{4}-\d{2}-\d{2}/);
  await expect(page.getByRole('button', { name: /^Day\s*\d/ })).toBeFocused();
  // Pressed by keyboard or tapped, a figure's name shows its definition.
  await page.getByRole('tab', { name: 'Points' }).click();
  await byStore(page).getByRole('button', { name: 'Points earned' }).press('Enter');
  const definition = page.getByRole('dialog', { name: 'Points earned' });
  await expect(definition).toContainText('Points that sales earned.');
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(definition).toBeHidden();
  await page.getByRole('term').getByRole('button', { name: 'Points redeemed' }).hover();
  await expect(page.getByRole('dialog', { name: 'Points redeemed' })).toContainText('Points that customers spent.');
});
