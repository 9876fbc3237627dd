import { networkInterfaces } from 'node:os';
import type { Page } from '@playwright/test';
import { expectAccessible, expectScreenAccessible } from '../fixtures/accessibility';
import { viewports } from '../fixtures/screens';
import { type Colleague, hireColleague, newColleague, signInAs } from '../fixtures/staff';
import { expect, test } from '../fixtures/test';

const newPassword = 'five quite new plain words';

/** Leaves the office first: an open page of it would load itself anew. */
async function forgetSession(page: Page): Promise<void> {
  await page.goto('about:blank');
  await page.context().clearCookies();
}

async function askForLink(page: Page, { email }: Pick<Colleague, 'email'>): Promise<void> {
  await page.goto('/sign-in');
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await page.waitForLoadState('load');
  await page.getByLabel('E-mail').fill(email);
  await page.getByRole('button', { name: 'Send link' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Check your e-mail' })).toBeVisible();
}

/** The link in the newest mail to an address, once it is there. */
async function linkInInbox(page: Page, { email }: Pick<Colleague, 'email'>): Promise<string> {
  const letter = page.getByRole('listitem').filter({ hasText: email }).first();
  await expect(async () => {
    await page.goto('/sandbox-inbox');
    await expect(letter.getByRole('heading', { name: 'Choose a new password' })).toBeVisible({ timeout: 500 });
  }).toPass();
  return (await letter.getByRole('link', { name: 'Choose a new password' }).getAttribute('href')) ?? '';
}

test('on a phone, a forgotten password is reset by a link that works once', async ({ page, merchant, browser }) => {
  const { colleague, theirs } = await hireColleague(browser, page, merchant);
  await forgetSession(theirs);
  await theirs.setViewportSize(viewports.phone);
  await askForLink(theirs, colleague);
  await theirs.getByRole('link', { name: 'Open the sandbox inbox' }).click();
  const link = await linkInInbox(theirs, colleague);

  await theirs.goto(link);
  const answer = await theirs.request.get(link);
  expect(answer.headers()).toMatchObject({ 'referrer-policy': 'no-referrer', 'x-robots-tag': 'noindex, nofollow' });
  await theirs.getByLabel('New password', { exact: true }).fill('short');
  await theirs.getByRole('button', { name: 'Save and sign in' }).click();
  await expect(theirs.getByLabel('New password', { exact: true })).toHaveAccessibleDescription(/at least 10/);
  await theirs.getByLabel('New password', { exact: true }).fill('Password123');
  await theirs.getByRole('button', { name: 'Save and sign in' }).click();
  await expect(theirs.getByLabel('New password', { exact: true })).toHaveAccessibleDescription(/too common/);
  await theirs.getByLabel('New password', { exact: true }).fill(newPassword);
  await theirs.getByRole('button', { name: 'Save and sign in' }).click();
  await theirs.waitForURL('**/home');

  await forgetSession(theirs);
  await theirs.goto(link);
  await expect(theirs.getByRole('heading', { name: 'This link no longer works' })).toBeVisible();
  await signInAs(theirs, { email: colleague.email, password: newPassword });
  await theirs.context().close();
});

test('an unknown address gets the same response as a known one', async ({ page }) => {
  const nobody = newColleague();
  await askForLink(page, nobody);
  await expect(page.getByText(`If ${nobody.email} has an account, a link is on its way.`)).toBeVisible();
});

test('the inbox is available on the machine itself only: over the network it does not exist', async ({
  page,
  demo,
}) => {
  const others = Object.values(networkInterfaces()).flatMap((all = []) => all.filter(({ internal }) => !internal));
  const address = others.find(({ family }) => family === 'IPv4')?.address;
  test.skip(!address, 'this machine has no network');
  const { port } = new URL(demo.origin);
  const ask = async (host: string, headers = {}) => {
    const inbox = await page.request.get(`http://${host}:${port}/sandbox-inbox`, { headers });
    const reset = await page.request.get(`http://${host}:${port}/reset-password`, { headers });
    return [inbox.status(), (await reset.text()).includes('/sandbox-inbox')];
  };
  expect(await ask('127.0.0.1')).toEqual([200, true]);
  await expect(ask(`${address}`)).rejects.toThrow('ECONNREFUSED');
  // As a web site does that points its own name to this machine.
  expect(await ask('127.0.0.1', { host: `evil.example:${port}` })).toEqual([421, false]);
});

test('the account procedures refuse a foreign, null or missing origin', async ({ page }) => {
  for (const headers of [{ origin: 'https://evil.example' }, { origin: 'null' }, {}] as Record<string, string>[]) {
    const options = { data: { email: 'nobody@example.com' }, headers };
    expect((await page.request.post('/api/account/requestPasswordReset', options)).status()).toBe(403);
  }
});

test('each page of the reset is accessible', async ({ page, merchant, browser }) => {
  const { colleague, theirs } = await hireColleague(browser, page, merchant);
  await theirs.context().close();
  await page.context().clearCookies();
  await page.goto('/reset-password');
  await page.getByRole('button', { name: 'Send link' }).click();
  await expect(page.getByLabel('E-mail')).toHaveAccessibleDescription(/such as/);
  await expectScreenAccessible(page);
  await askForLink(page, colleague);
  await expectAccessible(page);
  const link = await linkInInbox(page, colleague);
  await expectAccessible(page);
  await page.goto(link);
  await page.getByRole('button', { name: 'Save and sign in' }).click();
  await expectAccessible(page);
  await page.goto('/reset-password/nothing');
  await expectScreenAccessible(page);
});
