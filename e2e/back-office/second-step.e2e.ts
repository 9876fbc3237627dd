/** Two-step verification as people use it: setting it up, signing in with it, and being asked again. */
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { Secret, TOTP } from 'otpauth';
import postgres from 'postgres';
import { startEmbedded } from '@/db/operations/embedded';
import { dataDir } from '@/playwright.config';
import { expectAccessible } from '../fixtures/accessibility';
import { type Colleague, hireColleague } from '../fixtures/staff';
import { expect, test } from '../fixtures/test';
import { uniqueName } from '../fixtures/unique';

/** Does what time would do, in the demo's database. */
async function inDatabase(work: (sql: postgres.Sql) => Promise<unknown>): Promise<void> {
  const server = await startEmbedded({ dataDir: join(dataDir, 'postgres') });
  const sql = postgres(server.url('loyalty'), { max: 1, onnotice: () => {} });
  await work(sql).finally(() => sql.end());
}

/** Lets time pass since the person last proved who they are. */
const age = ({ email }: Colleague, interval: string) =>
  inDatabase(
    (sql) => sql`
      update staff_sessions s set confirmed_at = confirmed_at - ${interval}::interval
      from users u where u.id = s.user_id and u.email = ${email}`,
  );

/** Lets everybody in again. */
const endDemand = () =>
  inDatabase((sql) => sql`update merchants set second_factor_of = 'nobody', second_factor_from = null`);

/** Gives the page's computer a fingerprint reader. */
async function addFingerprintReader(page: Page) {
  const devices = await page.context().newCDPSession(page);
  await devices.send('WebAuthn.enable');
  const options = {
    protocol: 'ctap2' as const,
    transport: 'internal' as const,
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
    automaticPresenceSimulation: true,
  };
  const { authenticatorId } = await devices.send('WebAuthn.addVirtualAuthenticator', { options });
  const setVerified = (isUserVerified: boolean) =>
    devices.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified });
  return { setVerified };
}

/** The app's code; one of the next 30 seconds is accepted, too. */
const codeOf = (secret: string, steps = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 });

async function signInByForm(page: Page, { email, password }: Colleague): Promise<void> {
  await page.goto('about:blank');
  await page.context().clearCookies({ name: 'next-auth.session-token' });
  await page.goto('/account');
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Confirm it’s you' })).toBeVisible();
}

/** Sets an app up on the account's page. Returns its secret and the recovery codes. */
async function setUpApp(page: Page) {
  await page.getByRole('button', { name: 'Set up' }).click();
  const dialog = page.getByRole('dialog', { name: 'Set up an authenticator app' });
  await expect(dialog.getByRole('img', { name: 'QR code for the authenticator app' })).toBeVisible();
  const secret = ((await dialog.locator('pre').textContent()) ?? '').replaceAll(' ', '');
  await dialog.getByLabel('Code from the authenticator app').fill('000000');
  await dialog.getByRole('button', { name: 'Turn on' }).click();
  await expect(dialog.getByLabel('Code from the authenticator app')).toHaveAccessibleDescription(/incorrect/);
  await dialog.getByLabel('Code from the authenticator app').fill(codeOf(secret, -1));
  await dialog.getByRole('button', { name: 'Turn on' }).click();
  const codes = page.getByRole('dialog', { name: 'Save your recovery codes' });
  const recoveryCodes = ((await codes.locator('pre').textContent()) ?? '').split('\n');
  expect(recoveryCodes).toHaveLength(10);
  const download = page.waitForEvent('download');
  await codes.getByRole('link', { name: 'Download' }).click();
  expect((await download).suggestedFilename()).toBe('tableside-recovery-codes.txt');
  await page.keyboard.press('Escape');
  await codes.getByRole('button', { name: 'I’ve saved these codes' }).click();
  await expect(codes).toHaveCount(0);
  return { secret, recoveryCodes };
}

test('an app is set up after the password, asked for at the next sign-in, replaced by a recovery code, and removed', async ({
  page,
  merchant,
  browser,
}) => {
  const { colleague, theirs } = await hireColleague(browser, page, merchant);
  await age(colleague, '1 hour');
  await theirs.goto('/account');
  await theirs.getByRole('button', { name: 'Set up' }).click();
  const confirm = theirs.getByRole('dialog', { name: 'Confirm it’s you' });
  await expectAccessible(theirs);
  await confirm.getByRole('button', { name: 'Cancel' }).click();
  await expect(theirs.getByRole('dialog', { name: 'Set up an authenticator app' })).toHaveCount(0);
  await theirs.getByRole('button', { name: 'Set up' }).click();
  await confirm.getByLabel('Current password').fill('not my password');
  await confirm.getByRole('button', { name: 'Confirm' }).click();
  await expect(confirm.getByLabel('Current password')).toHaveAccessibleDescription(/incorrect/);
  await confirm.getByLabel('Current password').fill(colleague.password);
  await confirm.getByRole('button', { name: 'Confirm' }).click();
  await expect(theirs.getByRole('dialog', { name: 'Set up an authenticator app' })).toBeVisible();
  await expectAccessible(theirs);
  await theirs.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  const { secret, recoveryCodes } = await setUpApp(theirs);
  await expect(theirs.getByRole('listitem').filter({ hasText: 'Authenticator app' })).toContainText('Last used');
  await expectAccessible(theirs);

  await signInByForm(theirs, colleague);
  await expectAccessible(theirs);
  // The password has opened nothing.
  await theirs.goto('/home');
  await expect(theirs.getByRole('heading', { name: 'Confirm it’s you' })).toBeVisible();
  await theirs.getByLabel('Code from the authenticator app').fill('000000');
  await theirs.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(theirs.getByLabel('Code from the authenticator app')).toHaveAccessibleDescription(/incorrect/);
  await theirs.getByLabel('Code from the authenticator app').fill(codeOf(secret));
  await theirs.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(theirs.getByRole('button', { name: `Cashier · ${merchant.name}` })).toBeVisible();

  await signInByForm(theirs, colleague);
  await theirs.getByRole('button', { name: 'Use a recovery code instead' }).click();
  await theirs.getByLabel('Recovery code').fill(recoveryCodes[0] ?? '');
  await theirs.keyboard.press('Enter');
  await expect(theirs.getByText('You signed in with a recovery code. 9 are left.')).toBeVisible();
  await theirs.getByRole('link', { name: 'Continue' }).click();
  await expect(theirs.getByRole('heading', { name: 'Your account' })).toBeVisible();
  await expect(theirs.getByRole('listitem').filter({ hasText: 'Recovery codes' })).toContainText('9 left');

  await age(colleague, '1 hour');
  await theirs.getByRole('button', { name: 'Remove' }).click();
  await expect(theirs.getByRole('alertdialog')).toContainText('This is your last second step');
  await theirs.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
  await confirm.getByRole('button', { name: 'Use a recovery code instead' }).click();
  await confirm.getByLabel('Recovery code').fill(recoveryCodes[1] ?? '');
  await confirm.getByRole('button', { name: 'Confirm' }).click();
  await expect(theirs.getByText('Authenticator app removed')).toBeVisible();
  await expect(theirs.getByRole('listitem').filter({ hasText: 'Authenticator app' })).toContainText('Not set up');
  await theirs.context().close();
});

test('a passkey is added, signs in without the password, is the second step, and confirms who is there', async ({
  page,
  merchant,
  browser,
}) => {
  const { colleague, theirs } = await hireColleague(browser, page, merchant);
  const reader = await addFingerprintReader(theirs);
  await theirs.goto('/account');
  await theirs.getByRole('button', { name: 'Add passkey' }).click();
  const codes = theirs.getByRole('dialog', { name: 'Save your recovery codes' });
  await codes.getByRole('button', { name: 'I’ve saved these codes' }).click();
  await theirs.getByRole('button', { name: /^Rename / }).click();
  await theirs.getByRole('dialog').getByLabel('Name').fill('Office laptop');
  await theirs.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await expect(theirs.getByRole('listitem').filter({ hasText: 'Office laptop' })).toContainText('Last used');
  await expectAccessible(theirs);

  await theirs.goto('about:blank');
  await theirs.context().clearCookies({ name: 'next-auth.session-token' });
  await theirs.goto('/account');
  await theirs.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expect(theirs.getByRole('heading', { name: 'Your account' })).toBeVisible();

  await signInByForm(theirs, colleague);
  await theirs.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(theirs.getByRole('heading', { name: 'Your account' })).toBeVisible();

  await age(colleague, '1 hour');
  await theirs.getByRole('button', { name: 'Create new codes' }).click();
  await theirs.getByRole('alertdialog').getByRole('button', { name: 'Create new codes' }).click();
  const confirm = theirs.getByRole('dialog', { name: 'Confirm it’s you' });
  await reader.setVerified(false);
  await confirm.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(confirm.getByRole('alert')).toContainText('No passkey was used');
  await reader.setVerified(true);
  await confirm.getByRole('button', { name: 'Use a passkey' }).click();
  await codes.getByRole('button', { name: 'I’ve saved these codes' }).click();

  await theirs.getByRole('button', { name: 'Remove Office laptop' }).click();
  await theirs.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
  await expect(theirs.getByText('Passkey removed')).toBeVisible();
  await expect(theirs.getByRole('listitem').filter({ hasText: 'Office laptop' })).toHaveCount(0);
  await theirs.context().close();
});

test('an API key and a file of customers ask who is there, 15 minutes after the sign-in', async ({
  page,
  merchant,
  browser,
}) => {
  const { colleague, theirs } = await hireColleague(browser, page, merchant, 'Owner');
  const confirm = theirs.getByRole('dialog', { name: 'Confirm it’s you' });
  await age(colleague, '16 minutes');
  await theirs.goto('/api-keys');
  await theirs.getByRole('button', { name: 'New key' }).click();
  await theirs.getByLabel('Name', { exact: true }).fill(uniqueName('Till'));
  await theirs.getByRole('button', { name: 'Create key' }).click();
  await confirm.getByLabel('Current password').fill(colleague.password);
  await confirm.getByRole('button', { name: 'Confirm' }).click();
  // What was typed is sent without being typed again.
  const created = theirs.getByRole('dialog', { name: 'Copy the key now' });
  await expect(created.getByText(/^sk_sandbox_\w{36}$/)).toBeVisible();
  await created.getByRole('button', { name: 'I’ve saved this key' }).click();

  await age(colleague, '16 minutes');
  await theirs.goto('/customers');
  const link = theirs.getByRole('link', { name: 'Export CSV' });
  const direct = await theirs.context().request.get((await link.getAttribute('href')) ?? '');
  expect([direct.status(), await direct.text()]).toEqual([403, 'Confirm that it is you.\n']);
  await link.click();
  await confirm.getByLabel('Current password').fill(colleague.password);
  const download = theirs.waitForEvent('download');
  await confirm.getByRole('button', { name: 'Confirm' }).click();
  expect((await download).suggestedFilename()).toMatch(/^customers-.*\.csv$/);
  await dismiss(page, colleague);
  await theirs.context().close();
});

test('an owner requires a second step: a manager is told, then held back until they have one, and helped after losing it', async ({
  page,
  merchant,
  browser,
}) => {
  const { colleague: second, theirs: owner } = await hireColleague(browser, page, merchant, 'Owner');
  const { colleague, theirs } = await hireColleague(browser, page, merchant, 'Manager');
  await addFingerprintReader(owner);
  const soon = { timeout: 2_000 };
  const require = async (grace: string, answer: string | RegExp) => {
    await owner.goto('/staff');
    // A page listens to its fields once its script runs.
    await expect(async () => {
      await owner.getByLabel('Required for').selectOption('Owners and managers');
      await owner.getByLabel('Time to set it up').selectOption(grace, soon);
      await owner.getByRole('button', { name: 'Save' }).click();
      if (grace.startsWith('None')) await owner.getByRole('button', { name: 'Require it now' }).click(soon);
      await expect(owner.getByText(answer)).toBeVisible(soon);
    }).toPass();
  };
  await require('7 days', 'Set up two-step verification first.');
  await owner.goto('/account');
  await owner.getByRole('button', { name: 'Add passkey' }).click();
  await owner.getByRole('button', { name: 'I’ve saved these codes' }).click();
  try {
    await require('7 days', /^Owners and managers – Required from /);
    await expectAccessible(owner);
    await theirs.goto('/home');
    await expectAccessible(theirs);
    await theirs.getByRole('link', { name: 'Set it up now' }).click();
    await expect(theirs.getByRole('heading', { name: 'Two-step verification' })).toBeVisible();

    await theirs.goto('/home');
    await require('None: immediately', /^Owners and managers – Required since /);
    // An open page leads there by itself.
    await theirs.getByRole('navigation').getByRole('link', { name: 'Transactions' }).click();
    await expect(theirs.getByRole('heading', { name: 'Set up two-step verification' })).toBeVisible();
    // What is in force is shown, and saving it again changes nothing.
    await owner.reload();
    await expect(owner.getByLabel('Time to set it up').locator('option:checked')).toContainText('Required since');
    await expect(owner.getByText(/people concerned have no second step yet/)).toBeVisible();
    await theirs.goto('/account');
    await expect(theirs.getByRole('heading', { name: 'Your account' })).toBeVisible();
    await theirs.goto('/customers');
    await expect(theirs.getByRole('heading', { name: 'Set up two-step verification' })).toBeVisible();
    await expectAccessible(theirs);
    await setUpApp(theirs);
    await expect(theirs.getByRole('heading', { name: 'Customers', level: 1 })).toBeVisible();
  } finally {
    await endDemand();
  }

  await owner.goto('/staff');
  const row = owner.getByRole('row').filter({ hasText: colleague.email });
  await expect(row).toContainText('On');
  await row.getByRole('button', { name: `Reset second step ${colleague.name}` }).click();
  await owner.getByRole('alertdialog').getByRole('button', { name: 'Reset second step' }).click();
  await expect(owner.getByText(`Second step of ${colleague.name} reset`)).toBeVisible();
  await expect(row).toContainText('Off');
  await theirs.goto('about:blank');
  await theirs.goto('/account');
  await theirs.getByLabel('E-mail').fill(colleague.email);
  await theirs.getByLabel('Password', { exact: true }).fill(colleague.password);
  await theirs.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(theirs.getByRole('heading', { name: 'Your account' })).toBeVisible();
  await dismiss(page, second);
  await owner.context().close();
  await theirs.context().close();
});

/** Ends a second owner's work: other tests need a business with one. */
async function dismiss(page: Page, { name }: { name: string }): Promise<void> {
  await page.goto('/staff');
  await page.getByRole('button', { name: `Remove ${name}` }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByText(`${name} no longer works here`)).toBeVisible();
}
