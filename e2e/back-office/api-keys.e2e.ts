import type { Page } from '@playwright/test';
import { expectAccessible } from '../fixtures/accessibility';
import { signIn, viewports } from '../fixtures/screens';
import { expect, test } from '../fixtures/test';
import { uniqueName } from '../fixtures/unique';

/** Creates a key with the dialog; returns it. */
async function createKey(page: Page, name: string): Promise<string> {
  await page.goto('/api-keys');
  await page.getByRole('button', { name: 'New key' }).click();
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByLabel('Store', { exact: true }).selectOption({ index: 1 });
  await page.getByRole('button', { name: 'Create key' }).click();
  return readKey(page);
}

async function readKey(page: Page): Promise<string> {
  const dialog = page.getByRole('dialog', { name: 'Copy the key now' });
  // Nothing but its button closes it: the key would be gone.
  await page.keyboard.press('Escape');
  await expect(dialog.getByRole('button', { name: 'Close' })).toHaveCount(0);
  const key = (await dialog.getByText(/^sk_sandbox_\w{36}$/).textContent()) ?? '';
  await dialog.getByRole('button', { name: 'I’ve saved this key' }).click();
  await expect(page.getByText(key)).toHaveCount(0);
  return key;
}

const ping = async (origin: string, key: string) =>
  (await fetch(`${origin}/api/v1/ping`, { headers: { 'x-api-key': key } })).status;

for (const viewport of Object.values(viewports)) {
  test(`a key is created, used, rotated and revoked at ${viewport.width} px`, async ({ page, demo, merchant }) => {
    await page.setViewportSize(viewport);
    await page.clock.install();
    await signIn(page, merchant);
    const name = uniqueName('Till');
    const key = await createKey(page, name);
    expect(await ping(demo.origin, key)).toBe(200);

    await page.getByRole('link', { name }).click();
    await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible();
    await expect(page.getByText(`sk_sandbox_…${key.slice(-4)}`)).toBeVisible();
    const used = page.getByRole('row').filter({ hasText: 'ping' });
    // Requests are written within a second, and the list is refreshed every five.
    await expect(async () => {
      await page.clock.fastForward(5_000);
      await expect(used).toContainText('200', { timeout: 500 });
    }).toPass();

    await expect(page.getByText('50 requests per second, burst of 100')).toBeVisible();
    await page.getByRole('button', { name: 'Change limits' }).click();
    await page.getByLabel('Rate limit').fill('20');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText('20 requests per second, burst of 100')).toBeVisible();

    await page.getByRole('button', { name: 'Rotate' }).click();
    await page.getByRole('radio', { name: '24 hours' }).check();
    await page.getByRole('button', { name: 'Create new key' }).click();
    const next = await readKey(page);
    await expect(page.getByText('Expiring', { exact: true })).toBeVisible();
    expect([await ping(demo.origin, key), await ping(demo.origin, next)]).toEqual([200, 200]);

    await page.getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click();
    await expect(page.getByText('Revoked', { exact: true }).first()).toBeVisible();
    expect([await ping(demo.origin, key), await ping(demo.origin, next)]).toEqual([401, 200]);

    // The successor as well, so that nothing of the test stays in use; without an overlap it ends at once.
    await page.getByRole('link', { name: 'API keys' }).last().click();
    await page.getByLabel('Status', { exact: true }).selectOption('Active keys');
    await page
      .getByRole('row')
      .filter({ hasText: `…${next.slice(-4)}` })
      .getByRole('link')
      .click();
    await page.getByRole('button', { name: 'Rotate' }).click();
    await page.getByRole('radio', { name: 'Immediately' }).check();
    await page.getByRole('button', { name: 'Create new key' }).click();
    const last = await readKey(page);
    expect([await ping(demo.origin, next), await ping(demo.origin, last)]).toEqual([401, 200]);
  });
}

test('keys are accessible: the list, one of them, and the dialogs', async ({ page, merchant }) => {
  test.setTimeout(120_000);
  await signIn(page, merchant, '/api-keys');
  const first = page.getByRole('table').getByRole('link').first();
  await expect(first).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'New key' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await first.click();
  await expect(page.getByRole('heading', { name: 'Requests', exact: true })).toBeVisible();
  await expectAccessible(page);
});
