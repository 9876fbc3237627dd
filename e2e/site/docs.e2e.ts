import type { Page } from '@playwright/test';
import { expectScreenAccessible } from '../fixtures/accessibility';
import { expect, test } from '../fixtures/test';

const sampleOf = (page: Page, n = 0) => page.locator('figure.sample').nth(n);

test('guides lead to operations and back, and each link leads somewhere', async ({ page }) => {
  await page.goto('/docs');
  await page.locator('main').getByRole('link', { name: 'A bill from start to end' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('A bill from start to end');
  await page.locator('article').getByRole('link', { name: 'POST /sales' }).first().click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Submit a sale');
  await page.getByRole('link', { name: 'Guide: Points' }).click();
  await expect(page).toHaveURL('/docs/points');

  const seen = new Set(['/docs']);
  for (const path of seen) {
    const answer = await page.request.get(path);
    expect(answer.status(), path).toBe(200);
    const html = await answer.text();
    for (const [, href = ''] of html.matchAll(/href="(\/docs[^"]*)"/g)) {
      const [target = '', anchor] = href.split('#');
      if (!target.startsWith('/docs/console')) seen.add(target);
      if (target === path && anchor) expect(html, `${path}#${anchor}`).toContain(` id="${anchor}"`);
    }
  }
  expect(seen.size).toBeGreaterThan(40);
});

test('a chosen language holds for every sample, on every page, and what is copied is what is shown', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('/docs/first-call');
  // The set-up is the first sample.
  await expect(sampleOf(page, 1).locator('pre:visible')).toContainText('curl "$origin/api/v1/ping" -H');
  await expect(async () => {
    await sampleOf(page).getByText('Python', { exact: true }).click();
    await expect(sampleOf(page, 1).locator('pre:visible')).toContainText('call("GET", "/ping")', { timeout: 1_000 });
  }).toPass();
  await page.goto('/docs/reference/submitSale');
  const shown = sampleOf(page).locator('pre:visible');
  await expect(shown).toContainText('requests.post(');
  await expect(async () => {
    await sampleOf(page).getByRole('button', { name: 'Copy: Python' }).click();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(await shown.textContent());
  }).toPass();
});

test('search finds guides, operations and errors, also misspelt', async ({ page }) => {
  await page.goto('/docs/pin');
  const field = page.getByRole('searchbox', { name: 'Search the documentation' });
  await expect(async () => {
    await page.keyboard.press('/');
    await expect(field).toBeFocused({ timeout: 1_000 });
  }).toPass();
  await field.fill('retrys');
  await field.press('Enter');
  await expect(page.locator('main li a').first()).toContainText('Retries');
  // From here on, results follow the typing.
  await field.fill('pin_locked');
  await expect(page.locator('main li a[href="/docs/errors#pin_locked"]')).toBeVisible();
  await field.fill('zzzz');
  await expect(page.getByRole('status')).toContainText('Nothing found for “zzzz”');
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('guides, samples in every language, the reference and search work', async ({ page }) => {
    await page.goto('/docs/first-call');
    await expect(sampleOf(page).locator('pre:visible')).toHaveCount(1);
    await sampleOf(page).getByText('Java', { exact: true }).click();
    await expect(sampleOf(page).locator('pre:visible')).toContainText('HttpRequest.newBuilder(');
    await page.goto('/docs/reference/redeemVoucher');
    await page.locator('summary').filter({ hasText: 'Fields of bill' }).click();
    await expect(page.getByText('Bill amount before the voucher')).toBeVisible();
    await page.goto('/docs/reference/listEvents');
    await page.locator('summary').filter({ hasText: 'customer.merged' }).click();
    await page.locator('details[open] summary').filter({ hasText: 'Fields of data' }).click();
    await expect(page.locator('main code:visible').filter({ hasText: 'mergedInto' })).toBeVisible();
    const field = page.getByRole('searchbox', { name: 'Search the documentation' });
    await field.fill('tips');
    await field.press('Enter');
    await expect(page.locator('main li a').first()).toContainText('Where do tips go?');
  });
});

test('the pages are accessible, light, and fit a phone', async ({ page }) => {
  const paths = [
    '',
    '/bill',
    '/errors',
    '/reference',
    '/reference/redeemVoucher',
    '/reference/event-types',
    '/search?q=points',
    '/changelog',
  ];
  for (const path of paths) {
    let scriptBytes = 0;
    page.on('response', async (response) => {
      if (response.request().resourceType() === 'script') scriptBytes += Number((await response.body()).length);
    });
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto(`/docs${path}`, { waitUntil: 'networkidle' });
    await expectScreenAccessible(page);
    await page.setViewportSize({ width: 360, height: 740 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBe(360);
    page.removeAllListeners('response');
    // Before compression: React, Next's router, and little of ours.
    expect(scriptBytes, path).toBeLessThan(1_000_000);
  }
});
