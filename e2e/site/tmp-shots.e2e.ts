import { signIn } from '../fixtures/screens';
import { test } from '../fixtures/test';

test('shots', async ({ page, merchant, demo }) => {
  test.setTimeout(120_000);
  await page.setViewportSize({ width: 1280, height: 1500 });
  await signIn(page, merchant, '/vouchers/new');
  await page.getByRole('radio', { name: /Percentage off items/ }).check();
  await page.screenshot({ path: '/tmp/h-w1/voucher.png', fullPage: true });
  await page.goto('/settings');
  await page.locator('main h1').waitFor();
  await page.waitForTimeout(1500);
  await page.screenshot({ path: '/tmp/h-w1/settings.png', fullPage: true });
  await page.goto('/customers');
  await page.getByRole('row').nth(1).getByRole('link').first().click();
  await page.getByRole('region', { name: 'Balances' }).waitFor();
  await page.screenshot({ path: '/tmp/h-w1/customer.png', fullPage: true });
  await page.getByRole('button', { name: 'Adjust balance' }).click();
  await page.waitForTimeout(800);
  await page.screenshot({ path: '/tmp/h-w1/adjust.png' });
  await page.goto('/home');
  await page.locator('main svg.recharts-surface').first().waitFor();
  await page.screenshot({ path: '/tmp/h-w1/home.png', fullPage: true });
  await page.goto('/api-keys');
  await page.getByRole('row').nth(1).getByRole('link').first().click();
  await page.getByRole('button', { name: 'Rotate' }).click();
  await page.waitForTimeout(800);
  await page.screenshot({ path: '/tmp/h-w1/rotate.png' });
});
