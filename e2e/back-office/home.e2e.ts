import { expectScreenAccessible } from '../fixtures/accessibility';
import { figureIn, figureOf, topUpOnce } from '../fixtures/figures';
import { signIn, viewports } from '../fixtures/screens';
import { expect, test } from '../fixtures/test';

test('on a phone, a till’s transactions appear in today’s figures', async ({ page, merchant, till }) => {
  await page.setViewportSize(viewports.phone);
  await signIn(page, merchant, '/home');
  const today = page.getByRole('region', { name: 'Today' });
  const read = async (label: string) => figureIn(await figureOf(today, label).innerText());
  const before = { topUps: await read('Net top-ups'), customers: await read('Active customers') };
  const { principal } = await topUpOnce(till, merchant.stores[0]?.storeCode ?? '');
  await page.reload();
  // Other tests' tills may have taken something as well.
  await expect.poll(() => read('Net top-ups')).toBeGreaterThanOrEqual(before.topUps + principal / 100);
  await expect.poll(() => read('Active customers')).toBeGreaterThan(before.customers);
  await today.getByRole('link', { name: /^Gross .*top-up/ }).click();
  await page.waitForURL('**/transactions?type=topUp&from=*');
  await expect(page.getByRole('row').filter({ hasText: 'Top-up' }).first()).toBeVisible();
});

test('the chart has its figures in a table below it, and can show another metric', async ({ page, merchant }) => {
  await signIn(page, merchant, '/home');
  const month = page.getByRole('region', { name: 'Last 30 days' }).first();
  await expect(month.getByRole('group', { name: /^Chart: Net sales/ })).toBeVisible();
  await expect(month.getByRole('table').getByRole('row')).toHaveCount(8);
  await month.getByRole('button', { name: 'Show all 30 days' }).press('Enter');
  await expect(month.getByRole('table').getByRole('row')).toHaveCount(31);
  await month.getByRole('group', { name: 'Show in chart' }).getByRole('button', { name: 'Net top-ups' }).press('Enter');
  await expect(month.getByRole('group', { name: /^Chart: Net top-ups/ })).toBeVisible();
});

test('items that need attention link to their screens', async ({ page, merchant, till }) => {
  const soldOut = { plus: [merchant.menu[0]?.plu] };
  await till.post('/stock-outs', soldOut);
  try {
    await signIn(page, merchant, '/home');
    await page.getByRole('link', { name: /sold out/ }).click();
    await page.waitForURL('**/stock-outs');
  } finally {
    await till.post('/stock-outs/restore', soldOut);
  }
});

test('a cashier sees no revenue, but links to their screens', async ({ page, merchant }) => {
  const cashier = merchant.staff.find(({ role }) => role === 'cashier');
  if (!cashier) throw new Error('the demo has no cashier');
  await signIn(page, { owner: cashier }, '/home');
  await expect(page.getByRole('region', { name: 'Needs attention' })).toBeVisible();
  await expect(page.getByRole('main')).not.toContainText('$');
  await page.getByRole('main').getByRole('link', { name: 'Orders', exact: true }).click();
  await page.waitForURL('**/orders');
});

test('home is accessible', async ({ page, merchant }) => {
  await signIn(page, merchant, '/home');
  await expect(page.getByRole('group', { name: /^Chart/ })).toBeVisible();
  await expectScreenAccessible(page);
});
