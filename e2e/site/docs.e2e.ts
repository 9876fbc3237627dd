import type { Page } from '@playwright/test';
import { expectAccessible } from '../fixtures/accessibility';
import { openDocs, openOperation } from '../fixtures/screens';
import { forgiveLostRequests } from '../fixtures/table';
import { expect, test } from '../fixtures/test';

async function authorize(page: Page, key: string): Promise<void> {
  await page.getByLabel('Your API key').fill(key);
  await page.getByRole('button', { name: 'Authorize' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Requests use your key' })).toContainText(key.slice(-4));
}

/** Sends an operation as shown on the page; returns the response's panel. */
async function send(page: Page, operationId: string) {
  const operation = await openOperation(page, operationId);
  await operation.getByRole('button', { name: 'Try it out' }).click();
  await operation.getByRole('button', { name: 'Execute' }).click();
  return operation.locator('.live-responses-table');
}

test('a pasted key sends a real request, whose response the page shows', async ({ page, merchant }) => {
  const [store] = merchant.stores;
  await openDocs(page);
  await authorize(page, store?.apiKey ?? '');
  const answer = await send(page, 'ping');
  await expect(answer.locator('.response-col_status').last()).toContainText('200');
  await expect(answer).toContainText(`"storeCode": "${store?.storeCode}"`);
  await expect(answer).toContainText(`"currency": "${merchant.currency}"`);
});

test('a request with a body, typed on the page, reaches the service', async ({ page, merchant, demo, till }) => {
  const [store] = merchant.stores;
  const plu = `E2E-${Date.now()}`;
  await openDocs(page);
  await authorize(page, store?.apiKey ?? '');
  const operation = await openOperation(page, 'stockOut');
  await operation.getByRole('button', { name: 'Try it out' }).click();
  await operation.getByLabel('Request body').fill(JSON.stringify({ plus: [plu] }));
  await operation.getByRole('button', { name: 'Execute' }).click();
  await expect(operation.locator('.live-responses-table')).toContainText('"known": false');
  const listed = await fetch(`${demo.origin}/api/v1/stock-outs`, { headers: { 'x-api-key': store?.apiKey ?? '' } });
  expect(await listed.text()).toContain(plu);
  await till.post('/stock-outs/restore', { plus: [plu] });
});

test('without a key, or with a wrong one, the page shows the error', async ({ page }) => {
  await openDocs(page);
  const answer = await send(page, 'ping');
  await expect(answer).toContainText('invalid_api_key');
  await authorize(page, 'sk_sandbox_thisIsNoKeyOfAnybodyAtAll00000000000');
  await page.locator('[id$="-ping"].opblock').getByRole('button', { name: 'Execute' }).click();
  await expect(answer.locator('.response-col_status').last()).toContainText('401');
});

test('a key is removed on demand, and when the page is left', async ({ page, merchant }) => {
  await openDocs(page);
  await authorize(page, merchant.merchantApiKey);
  await page.getByRole('button', { name: 'Forget key' }).click();
  await expect(await send(page, 'ping')).toContainText('invalid_api_key');
  await authorize(page, merchant.merchantApiKey);
  await page.reload();
  await expect(page.getByLabel('Your API key')).toHaveValue('');
  const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]));
  expect(kept).not.toContain(merchant.merchantApiKey);
});

test('a document that fails to load is retried automatically, then by the reader', async ({ page, complaints }) => {
  let [asked, lost] = [0, 1];
  await page.route('**/api/openapi.json', (route) => (++asked > lost ? route.continue() : route.abort()));
  await openDocs(page);
  expect(asked).toBe(2);
  lost = 4;
  await page.reload();
  await expect(page.getByRole('alert').filter({ hasText: 'The reference did not load' })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.locator('.opblock').first()).toBeVisible();
  expect(asked).toBe(5);
  forgiveLostRequests(complaints);
});

test('every operation of the document is on the page', async ({ page, demo }) => {
  const document = await (await fetch(`${demo.origin}/api/openapi.json`)).json();
  const operations = Object.values<object>(document.paths).flatMap((path) => Object.values(path));
  const ids = operations.map(({ operationId }) => operationId).filter(Boolean);
  expect(ids.length).toBeGreaterThanOrEqual(13);
  await openDocs(page);
  await expect(page.locator('.opblock')).toHaveCount(ids.length);
  for (const id of ids) await expect(page.locator(`[id$="-${id}"].opblock`)).toBeAttached();
});

test('the API reference is accessible', async ({ page, merchant }) => {
  test.setTimeout(90_000);
  await openDocs(page);
  await expectAccessible(page);
  await authorize(page, merchant.merchantApiKey);
  await send(page, 'ping');
  await openOperation(page, 'topUpStoredValue');
  await expectAccessible(page);
});

test('the guide is linked from the reference, and links to its sections and back', async ({ page }) => {
  await openDocs(page);
  await page.getByRole('link', { name: 'Integration guide' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Integrating a point of sale');
  const wanted = page.getByRole('heading', { level: 2, name: 'Retries: each of three ways is safe' });
  await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Retries' }).click();
  await expect(wanted).toBeInViewport();
  for (const link of await page.locator('article a[href^="#"]').all()) {
    await expect(page.locator(`[id="${(await link.getAttribute('href'))?.slice(1)}"]`)).toHaveCount(1);
  }
  await page.locator('main').getByRole('link', { name: 'API reference' }).click();
  await expect(page).toHaveURL('/docs');
});

test('the guide is accessible, and fits a phone', async ({ page }) => {
  await page.goto('/docs/guide');
  await expectAccessible(page);
  await page.setViewportSize({ width: 360, height: 740 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
});
