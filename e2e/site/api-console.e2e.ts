import type { Page } from '@playwright/test';
import { expectAccessible, expectScreenAccessible } from '../fixtures/accessibility';
import { openConsole, openOperation } from '../fixtures/screens';
import { expect, forgiveLostRequests, test } from '../fixtures/test';

async function authorize(page: Page, key: string): Promise<void> {
  await page.getByLabel('Your API key').fill(key);
  await page.getByRole('button', { name: 'Authorize' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Requests use your key' })).toContainText(key.slice(-4));
}

/** Sends an operation for the first time, as shown on the page; returns the response's panel. */
async function tryOut(page: Page, operationId: string) {
  const operation = await openOperation(page, operationId);
  await operation.getByRole('button', { name: 'Try it out' }).click();
  await operation.getByRole('button', { name: 'Execute' }).click();
  return operation.locator('.live-responses-table');
}

test('shows every operation; a pasted key sends real requests until it is removed or the page is left', async ({
  page,
  merchant,
  demo,
  till,
}) => {
  const [store] = merchant.stores;
  const key = store?.apiKey ?? '';
  await openConsole(page);

  const document = await (await fetch(`${demo.origin}/api/openapi.json`)).json();
  const operations = Object.values<object>(document.paths).flatMap((path) => Object.values(path));
  const ids = operations.map(({ operationId }) => operationId).filter(Boolean);
  expect(ids.length).toBeGreaterThanOrEqual(13);
  await expect(page.locator('.opblock')).toHaveCount(ids.length);
  for (const id of ids) await expect(page.locator(`[id$="-${id}"].opblock`)).toBeAttached();

  const answer = await tryOut(page, 'ping');
  const sendAgain = () => page.locator('[id$="-ping"].opblock').getByRole('button', { name: 'Execute' }).click();
  await test.step('without a key, or with a wrong one, the refusal is shown', async () => {
    await expect(answer).toContainText('invalid_api_key');
    await expect(answer.locator('.response-col_status').last()).toContainText('401');
    await authorize(page, 'sk_sandbox_thisIsNoKeyOfAnybodyAtAll00000000000');
    const refused = page.waitForResponse('**/api/v1/ping');
    await sendAgain();
    expect((await refused).request().headers()['x-api-key']).toContain('thisIsNoKeyOfAnybody');
    await expect(answer.locator('.response-col_status').last()).toContainText('401');
    await page.getByRole('button', { name: 'Forget key' }).click();
  });
  await test.step('with the key of a store its answer is shown', async () => {
    await authorize(page, key);
    await sendAgain();
    await expect(answer.locator('.response-col_status').last()).toContainText('200');
    await expect(answer).toContainText(`"storeCode": "${store?.storeCode}"`);
    await expect(answer).toContainText(`"currency": "${merchant.currency}"`);
  });
  await test.step('a body that is typed reaches the service', async () => {
    const plu = `E2E-${Date.now()}`;
    const operation = await openOperation(page, 'stockOut');
    await operation.getByRole('button', { name: 'Try it out' }).click();
    await operation.getByLabel('Request body').fill(JSON.stringify({ plus: [plu] }));
    await operation.getByRole('button', { name: 'Execute' }).click();
    await expect(operation.locator('.live-responses-table')).toContainText('"known": false');
    const { items } = await till.get<{ items: { plu: string }[] }>('/stock-outs');
    expect(items.map((item) => item.plu)).toContain(plu);
    await till.post('/stock-outs/restore', { plus: [plu] });
  });
  await test.step('an example is sent as it stands, again and again, each time with a new id', async () => {
    const operation = await openOperation(page, 'topUpStoredValue');
    await operation.getByRole('button', { name: 'Try it out' }).click();
    const ids = new Set<string>();
    for (let round = 0; round < 2; round++) {
      const sending = page.waitForRequest('**/transactions/stored-value/top-up');
      await operation.getByRole('button', { name: 'Execute' }).click();
      const sent = await sending;
      expect((await sent.response())?.status()).toBe(200);
      ids.add(sent.postDataJSON().transactionId);
    }
    expect(ids.size).toBe(2);
  });
  await test.step('a key is forgotten on demand, and when the page is left', async () => {
    await page.getByRole('button', { name: 'Forget key' }).click();
    await sendAgain();
    await expect(answer).toContainText('invalid_api_key');
    await authorize(page, merchant.merchantApiKey);
    await page.reload();
    await expect(page.getByLabel('Your API key')).toHaveValue('');
    const kept = await page.evaluate(() =>
      JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]),
    );
    expect(kept).not.toContain(merchant.merchantApiKey);
  });
});

test('a document that fails to load is retried automatically, then by the reader', async ({ page, complaints }) => {
  let [asked, lost] = [0, 1];
  await page.route('**/api/openapi.json', (route) => (++asked > lost ? route.continue() : route.abort()));
  await openConsole(page);
  expect(asked).toBe(2);
  lost = 4;
  await page.reload();
  await expect(page.getByRole('alert').filter({ hasText: 'The console did not load' })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.locator('.opblock').first()).toBeVisible();
  expect(asked).toBe(5);
  forgiveLostRequests(complaints);
});

test('the API console is accessible', async ({ page, merchant }) => {
  await openConsole(page);
  await expectScreenAccessible(page);
  await authorize(page, merchant.merchantApiKey);
  await tryOut(page, 'ping');
  await openOperation(page, 'topUpStoredValue');
  await expectAccessible(page);
});
