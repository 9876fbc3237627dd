import type { Page } from '@playwright/test';
import { expectAccessible, expectScreenAccessible } from '../fixtures/accessibility';
import { merchantIn } from '../fixtures/demo';
import { signIn, viewports } from '../fixtures/screens';
import { hireColleague, inviteColleague, joinAsColleague, newColleague, signInAs } from '../fixtures/staff';
import { expect, test } from '../fixtures/test';

const rowOf = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });

test('an owner invites a person, who joins, is promoted and is removed', async ({ page, merchant, browser }) => {
  const { colleague, theirs } = await hireColleague(browser, page, merchant);
  const { name, email } = colleague;
  await expect(theirs.getByRole('button', { name: `Cashier · ${merchant.name}` })).toBeVisible();
  // The owner's screen shows it without a reload.
  await expect(rowOf(page, name)).toContainText(email);
  await expect(
    page.getByRole('table', { name: 'Invitations' }).getByRole('row').filter({ hasText: email }),
  ).toHaveCount(0);
  await theirs.goto('/staff');
  await expect(theirs.getByRole('alert').filter({ hasText: 'No access for your role' })).toBeVisible();

  await page.getByLabel(`Role of ${name}`).selectOption('Manager');
  await expect(page.getByText(`${name} is now a manager`)).toBeVisible();
  await theirs.setViewportSize(viewports.desktop);
  await theirs.goto('/home');
  await expect(theirs.getByRole('link', { name: 'Reports' })).toBeVisible();
  await expect(theirs.getByRole('link', { name: 'Staff' })).toHaveCount(0);

  await page.getByRole('button', { name: `Remove ${name}` }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByText(`${name} no longer works here`)).toBeVisible();
  await expect(rowOf(page, name)).toHaveCount(0);
  // Their page may reload by itself at this moment, which interrupts the way there.
  await expect(async () => {
    await theirs.goto('/home');
    await expect(theirs.getByRole('heading', { name: 'No business yet' })).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await theirs.context().close();
});

test('an invitation sent again has a new link; a revoked one has none', async ({ page, merchant }) => {
  const colleague = newColleague();
  await signIn(page, merchant);
  const first = await inviteColleague(page, colleague, 'Cashier');
  await page.getByRole('button', { name: `Send again ${colleague.email}` }).click();
  const dialog = page.getByRole('dialog', { name: 'Invitation sent' });
  const second = (await dialog.locator('pre').textContent()) ?? '';
  expect(second).not.toBe(first);
  await dialog.getByRole('button', { name: 'Done' }).click();

  await page.getByRole('button', { name: `Revoke ${colleague.email}` }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click();
  await expect(rowOf(page, colleague.email)).toHaveCount(0);
  for (const link of [first, second]) {
    await page.goto(link);
    await expect(page.getByRole('heading', { name: 'This link no longer works' })).toBeVisible();
  }
});

test('an address can be invited once only, and the form says so at the field', async ({ page, merchant }) => {
  const colleague = newColleague();
  await signIn(page, merchant);
  await inviteColleague(page, colleague, 'Manager');
  await page.getByRole('button', { name: 'Invite staff' }).click();
  await page.getByLabel('E-mail').fill('no address');
  await page.getByRole('button', { name: 'Send invitation' }).click();
  await expect(page.getByLabel('E-mail')).toHaveAccessibleDescription(/^Enter an e-mail address/);
  await page.getByLabel('E-mail').fill(colleague.email);
  await page.getByRole('button', { name: 'Send invitation' }).click();
  await expect(page.getByLabel('E-mail')).toHaveAccessibleDescription(/This address is invited already/);
});

test('a member of one merchant joins another by signing in, and switches between them', async ({
  page,
  merchant,
  demo,
  browser,
}) => {
  const { colleague, theirs } = await hireColleague(browser, page, merchant);
  const other = merchantIn(demo, 'JPY');
  await page.context().clearCookies();
  await signIn(page, other);
  const link = await inviteColleague(page, colleague, 'Cashier');

  // The link, opened while another person is signed in, says whom it is for.
  await page.goto(link);
  await expect(page.getByText(`You are signed in as ${other.owner.email}.`)).toBeVisible();
  await theirs.context().clearCookies();
  await theirs.goto(link);
  await expect(theirs.getByLabel('E-mail')).toHaveValue(colleague.email);
  await theirs.getByLabel('Password', { exact: true }).fill(colleague.password);
  await theirs.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(theirs.getByRole('button', { name: 'Join' })).toBeVisible();
  await theirs.waitForLoadState('load');
  await theirs.getByRole('button', { name: 'Join' }).click();
  await theirs.waitForURL('**/home');
  const account = (name: string) => theirs.getByRole('button', { name: `Cashier · ${name}` });
  await account(other.name).click();
  await theirs.getByRole('menuitemradio', { name: merchant.name }).click();
  await expect(account(merchant.name)).toBeVisible();
  await theirs.reload();
  await expect(account(merchant.name)).toBeVisible();
  await theirs.context().close();
});

test('the last owner cannot leave', async ({ page, merchant }) => {
  await signIn(page, merchant, '/staff');
  await page.getByRole('button', { name: /^Leave/ }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Leave business' }).click();
  await expect(page.getByText('A business needs an owner').first()).toBeVisible();
});

test('a person changes name and password, sees the sessions, ends one, and signs out everywhere', async ({
  page,
  merchant,
  browser,
}) => {
  const { colleague, theirs } = await hireColleague(browser, page, merchant);
  await page.context().clearCookies();
  await signInAs(page, colleague);

  await theirs.goto('/account');
  await theirs.getByRole('textbox', { name: 'Name', exact: true }).fill('Grace Lim');
  await theirs.getByRole('button', { name: 'Save' }).click();
  await expect(theirs.getByText('Name saved')).toBeVisible();
  await expect(theirs.getByRole('button', { name: /Grace Lim/ })).toBeVisible();

  const change = theirs.getByRole('button', { name: 'Change password' });
  await theirs.getByLabel('Current password').fill('not the password');
  await theirs.getByLabel('New password').fill('another four plain words');
  await change.click();
  await expect(theirs.getByLabel('Current password')).toHaveAccessibleDescription(/This password is incorrect/);
  await theirs.getByLabel('Current password').fill(colleague.password);
  await change.click();
  await expect(theirs.getByText('Password changed')).toBeVisible();
  // Here the session goes on; elsewhere it has ended.
  await theirs.reload();
  await expect(theirs.getByRole('heading', { name: 'Your account' })).toBeVisible();
  await page.goto('/home');
  await expect(page).toHaveURL(/\/sign-in/);

  await signInAs(page, { email: colleague.email, password: 'another four plain words' });
  await theirs.reload();
  const sessions = theirs.getByRole('region', { name: 'Sessions' });
  await expect(sessions.getByRole('listitem')).toHaveCount(2);
  await expect(sessions.getByRole('listitem').filter({ hasText: 'This browser' })).toContainText(/Chrome · Linux/);
  await expectAccessible(theirs);
  await sessions.getByRole('button', { name: /^Sign out Chrome/ }).click();
  await expect(sessions.getByRole('listitem')).toHaveCount(1);
  await expect(sessions.getByRole('button', { name: 'Sign out all others' })).toHaveCount(0);
  await page.goto('/home');
  await expect(page).toHaveURL(/\/sign-in/);

  await theirs.getByRole('button', { name: 'Sign out everywhere' }).click();
  await theirs.getByRole('alertdialog').getByRole('button', { name: 'Sign out everywhere' }).click();
  await expect(theirs).toHaveURL(/\/sign-in/);
  await theirs.context().close();
});

test('only our own pages can switch the merchant, and only to one that the person works for', async ({
  page,
  merchant,
  demo,
}) => {
  await signIn(page, merchant);
  const ask = (data: object, headers: Record<string, string>) =>
    page.request.post('/api/session/merchant', { data, headers }).then((answer) => answer.status());
  const own = { origin: demo.origin };
  const nobodys = { merchantId: '01900000-0000-7000-8000-00000000ffff' };
  expect(await ask(nobodys, { origin: 'https://evil.example' })).toBe(403);
  expect(await ask(nobodys, { origin: 'null' })).toBe(403);
  expect(await ask(nobodys, {})).toBe(403);
  expect(await ask(nobodys, own)).toBe(403);
  expect(await ask({ merchantId: 'no id' }, own)).toBe(400);
  await page.context().clearCookies();
  expect(await ask(nobodys, own)).toBe(401);
});

test('staff, invitation and account are accessible', async ({ page, merchant }) => {
  await signIn(page, merchant);
  const colleague = newColleague();
  const link = await inviteColleague(page, colleague, 'Cashier');
  await expectScreenAccessible(page);
  await page.getByRole('button', { name: 'Invite staff' }).click();
  await page.getByRole('button', { name: 'Send invitation' }).click();
  await expectAccessible(page);
  await page.goto('/account');
  await page.getByRole('button', { name: 'Change password' }).click();
  await expectAccessible(page);
  await page.context().clearCookies();
  await page.goto(link);
  await page.getByRole('button', { name: 'Join' }).click();
  await expectAccessible(page);
  await joinAsColleague(page, link, colleague);
});
