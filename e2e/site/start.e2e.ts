import { expectScreenAccessible } from '../fixtures/accessibility';
import { expect, test } from '../fixtures/test';

test('a new merchant finds the sign-in', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('link', { name: 'Sign in to your back office' }).click();
  await expect(page).toHaveURL('/sign-in');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sign in to your back office');
});

test('a developer finds the documentation, and a command to paste', async ({ page, demo }) => {
  await page.goto('/');
  await expect(page.getByText(`${demo.origin}/api/v1/ping`)).toBeVisible();
  await page.getByRole('link', { name: 'Read the documentation' }).click();
  await expect(page).toHaveURL('/docs');
  await page.getByRole('link', { name: 'Make the first call' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('First call');
});

test('the command with a key returns 200', async ({ page, merchant, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('/');
  const copy = page.getByRole('button', { name: 'Copy: Test your key' });
  // It says so for two seconds.
  await expect(async () => {
    await copy.click();
    await expect(copy).toHaveText('Copied', { timeout: 1_000 });
  }).toPass();
  const line = await page.evaluate(() => navigator.clipboard.readText());
  const [, header, url] = /^curl -H 'x-api-key: (\S+)' (\S+)$/.exec(line) ?? [];
  expect(header).toBe('sk_sandbox_…');
  const answer = await fetch(url ?? '', { headers: { 'x-api-key': merchant.merchantApiKey } });
  expect(answer.status).toBe(200);
});

test('an unknown address says so, with a link back', async ({ page }) => {
  const answer = await page.goto('/nowhere');
  expect(answer?.status()).toBe(404);
  await page.getByRole('link', { name: 'Go to the start page' }).click();
  await expect(page).toHaveURL('/');
});

test('the start page is accessible', async ({ page }) => {
  await page.goto('/');
  await expectScreenAccessible(page);
});
