import type { Page } from '@playwright/test';
import { expectAccessible, expectScreenAccessible } from '../fixtures/accessibility';
import type { DemoMerchant } from '../fixtures/demo';
import { signIn, signOut } from '../fixtures/screens';
import { expect, test } from '../fixtures/test';

/** By the form, ending on the back office's home. */
async function fillIn(page: Page, { owner }: DemoMerchant): Promise<void> {
  await page.goto('/sign-in');
  await page.getByLabel('E-mail').fill(owner.email);
  await page.getByLabel('Password', { exact: true }).fill(owner.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL('**/home');
}

test('the owner signs in, and sees the merchant and its stores', async ({ page, merchant }) => {
  await fillIn(page, merchant);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(merchant.name);
  await expect(page.getByRole('button', { name: `Owner · ${merchant.name}` })).toBeVisible();
  await page.goto('/stores');
  for (const { storeCode } of merchant.stores) await expect(page.getByText(storeCode, { exact: true })).toBeVisible();
});

test('a visitor is sent to sign in, and then to the requested page', async ({ page, merchant }) => {
  await page.goto('/home?from=mail');
  await expect(page).toHaveURL('/sign-in?callbackUrl=%2Fhome%3Ffrom%3Dmail');
  await page.getByLabel('E-mail').fill(merchant.owner.email);
  await page.getByLabel('Password', { exact: true }).fill(merchant.owner.password);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/home?from=mail');
});

test('a wrong password is reported, without saying which of the two fields was wrong', async ({ page, merchant }) => {
  const told: (string | null)[] = [];
  for (const email of [merchant.owner.email, `nobody-${Date.now()}@example.com`]) {
    await page.goto('/sign-in');
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Password', { exact: true }).fill('not the password');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    const alert = page.getByRole('alert').filter({ hasText: 'Wrong e-mail or password' });
    await expect(alert).toBeVisible();
    told.push(await alert.textContent());
    await page.goto('/home');
    await expect(page).toHaveURL(/\/sign-in\?/);
  }
  expect(told[0]).toBe(told[1]);
  // A right password clears the count of wrong ones, so that this test can be run again and again.
  await fillIn(page, merchant);
});

test('a password is masked until it is revealed, can be pasted, and is filled by password managers', async ({
  page,
}) => {
  await page.goto('/sign-in');
  const field = page.getByLabel('Password', { exact: true });
  await expect(field).toHaveAttribute('type', 'password');
  await expect(field).toHaveAttribute('autocomplete', 'current-password');
  const isStopped = (paste: HTMLElement) =>
    !paste.dispatchEvent(new ClipboardEvent('paste', { bubbles: true, cancelable: true }));
  expect(await field.evaluate(isStopped)).toBe(false);
  await page.getByRole('button', { name: 'Show password' }).click();
  await expect(field).toHaveAttribute('type', 'text');
});

test('empty fields are named, and nothing is sent', async ({ page }) => {
  await page.goto('/sign-in');
  const sent: string[] = [];
  page.on('request', (request) => request.url().includes('/api/') && sent.push(request.url()));
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByLabel('E-mail')).toBeFocused();
  await expect(page.getByLabel('E-mail')).toHaveAccessibleDescription(/Enter your e-mail address/);
  await expect(page.getByLabel('Password', { exact: true })).toHaveAccessibleDescription('Enter your password');
  expect(sent).toEqual([]);
});

test('after too many attempts the page says how long to wait', async ({ page }) => {
  await page.goto('/sign-in');
  await page.getByLabel('E-mail').fill(`guesser-${Date.now()}@example.com`);
  for (let tries = 1; tries <= 11; tries++) {
    await page.getByLabel('Password', { exact: true }).fill(`guess ${tries}`);
    const answered = page.waitForResponse('**/api/auth/callback/credentials');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await answered;
    await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeEnabled();
  }
  await expect(page.getByRole('alert').filter({ hasText: 'Too many attempts' })).toContainText('wait 15 minutes');
});

test('after signing out, neither the back button nor a copy of the cookie shows anything private', async ({
  page,
  merchant,
  context,
}) => {
  await signIn(page, merchant, '/home');
  const copy = await context.cookies();
  await signOut(page);
  await expect(page).toHaveURL('/');
  await expect(page.getByRole('link', { name: 'Sign in', exact: true }).first()).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL(/\/sign-in/);
  await expect(page.getByText(merchant.owner.email)).toHaveCount(0);
  await expect(page.getByText(merchant.name)).toHaveCount(0);
  for (const cookies of [[], copy]) {
    await context.addCookies(cookies);
    await page.goto('/home');
    await expect(page).toHaveURL(/\/sign-in\?/);
  }
});

test('the session cookie is hidden from scripts and from other sites', async ({ page, merchant, context }) => {
  await signIn(page, merchant, '/home');
  const session = (await context.cookies()).find(({ name }) => name.endsWith('next-auth.session-token'));
  expect(session).toMatchObject({ httpOnly: true, sameSite: 'Lax' });
  expect(await page.evaluate(() => document.cookie)).not.toContain('session-token');
});

test('sign-in is accessible', async ({ page }) => {
  await page.goto('/sign-in');
  await expectScreenAccessible(page);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expectAccessible(page);
});
