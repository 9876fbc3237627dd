import type { Page } from '@playwright/test';
import { expectAccessible, expectScreenAccessible } from '../fixtures/accessibility';
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

test('on a phone, a key is created, used, rotated and revoked', async ({ page, demo, merchant }) => {
  await page.setViewportSize(viewports.phone);
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

  const rotated = page.url();
  await page.getByRole('button', { name: 'Rotate' }).click();
  await page.getByRole('radio', { name: '24 hours' }).check();
  await page.getByRole('button', { name: 'Create new key' }).click();
  const next = await readKey(page);
  // The new key follows; the old one works on for a while.
  await expect(page.getByText(`…${next.slice(-4)}`)).toBeVisible();
  await page.goto(rotated);
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

test('a key is limited to a scope and to networks, when it is created and later', async ({ page, demo, merchant }) => {
  const [name, elsewhere] = [uniqueName('Board'), '203.0.113.0/24'];
  await signIn(page, merchant, '/api-keys');
  await page.getByRole('button', { name: 'New key' }).click();
  await page.getByLabel('Name', { exact: true }).fill(name);
  const may = (scope: string) => page.getByRole('checkbox', { name: new RegExp(`^${scope}`) });
  await expect(may('Bills Send, close and void bills')).toBeChecked();
  await may('Bills').uncheck();
  await may('Loyalty').uncheck();
  const networks = page.getByLabel('Allowed networks');
  await networks.fill('127.0.0.1\n\n203.0.113.0/33');
  await page.getByRole('button', { name: 'Create key' }).click();
  await expect(networks).toHaveAccessibleDescription(/“203.0.113.0\/33”: Enter a network such as/);
  await expect(networks).toBeFocused();
  await networks.fill('127.0.0.1\n::1\n203.0.113.9/24');
  await expect(networks).not.toHaveAttribute('aria-invalid', 'true');
  await page.getByRole('button', { name: 'Create key' }).click();
  const key = await readKey(page);

  const row = page.getByRole('row').filter({ hasText: name });
  await expect(row).toContainText('Ordering');
  await expect(row).toContainText('3 networks');
  await row.getByRole('link').click();
  await expect(page.getByText(`127.0.0.1/32, ${elsewhere}, ::1/128`)).toBeVisible();
  const send = async (path: string, method: 'GET' | 'POST') => {
    const answer = await fetch(`${demo.origin}/api/v1${path}`, { method, headers: { 'x-api-key': key } });
    return answer.status === 200 ? 'served' : (await answer.json()).error.code;
  };
  expect([await send('/ping', 'GET'), await send('/sales', 'POST')]).toEqual(['served', 'scope_missing']);

  await page.getByRole('button', { name: 'Change access' }).click();
  await expect(may('Loyalty')).not.toBeChecked();
  await may('Loyalty').check();
  await may('Bills').check();
  await networks.fill(elsewhere);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText(`Access of ${name} saved`)).toBeVisible();
  await expect(page.getByRole('definition').filter({ hasText: 'Everything' })).toBeVisible();
  expect(await send('/ping', 'GET')).toBe('network_not_allowed');

  await page.goto('/audit-log');
  const refused = page.getByRole('row').filter({ hasText: 'An API key was refused from another network' }).first();
  await expect(refused).toContainText(name);
  await expect(page.getByRole('row').filter({ hasText: 'Changed the access of an API key' }).first()).toContainText(
    'What the key may do',
  );
});

test('keys are accessible: the list, one of them, and the dialogs', async ({ page, merchant }) => {
  await signIn(page, merchant, '/api-keys');
  const first = page.getByRole('table').getByRole('link').first();
  await expect(first).toBeVisible();
  await expectScreenAccessible(page);
  await page.getByRole('button', { name: 'New key' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await first.click();
  await expect(page.getByRole('heading', { name: 'Requests', exact: true })).toBeVisible();
  await expectAccessible(page);
});
