/** What the browser's face refuses, whoever asks. */
import type { APIRequestContext, Page } from '@playwright/test';
import { staffRouter } from '@/server/trpc/staff/router';
import { signIn } from '../fixtures/screens';
import { expect, test } from '../fixtures/test';

const procedures = Object.entries(staffRouter._def.procedures as unknown as Record<string, { _def: { type: string } }>);
const mutations = procedures.filter(([, { _def }]) => _def.type === 'mutation').map(([name]) => name);

const publicPages = ['/', '/docs', '/sign-in', '/q/settled', '/nowhere'];
const officePages = ['/home', '/orders', '/qr-codes', '/qr-codes/print', '/settings', '/messages'];

/** Follows no redirect: what is answered is what counts. */
const post = (request: APIRequestContext, url: string, headers: Record<string, string>) =>
  request.post(url, { headers, data: { 0: {} }, maxRedirects: 0 });

test('every page runs only scripts of its own nonce, which no two answers share', async ({ page, merchant }) => {
  test.setTimeout(120_000);
  const nonces: string[] = [];
  const check = async (path: string) => {
    const answer = await page.goto(path);
    const policy = answer?.headers()['content-security-policy'] ?? '';
    expect(policy, path).toContain("default-src 'none'");
    expect(policy, path).toContain("frame-ancestors 'none'");
    expect(policy, path).toContain("base-uri 'none'");
    expect(policy, path).not.toMatch(/script-src[^;]*'unsafe-inline'/);
    const nonce = /script-src [^;]*'nonce-([^']+)'/.exec(policy)?.[1] ?? '';
    expect(nonce.length, path).toBeGreaterThan(20);
    nonces.push(nonce);
    // A browser hides the nonce from everybody but the script itself.
    const strangers = await page.evaluate(
      (own) => [...document.scripts].filter(({ src, nonce }) => !src && nonce !== own).length,
      nonce,
    );
    expect(strangers, path).toBe(0);
  };
  for (const path of publicPages) await check(path);
  await signIn(page, merchant);
  for (const path of officePages) await check(path);
  expect(new Set(nonces).size).toBe(nonces.length);
});

test('an injected script does not run', async ({ page, complaints }) => {
  await page.goto('/');
  await page.evaluate(() => {
    const image = document.createElement('div');
    image.innerHTML =
      '<img src="data:," onerror="window.hacked = true"><a href="javascript:window.hacked = true">go</a>';
    document.body.append(image);
    (image.querySelector('a') as HTMLElement).click();
  });
  await expect.poll(() => complaints.filter((text) => text.includes('Content Security Policy')).length).toBe(2);
  expect(await page.evaluate(() => 'hacked' in window)).toBe(false);
  complaints.length = 0;
});

test('nothing changes by GET: every mutation is refused', async ({ page, merchant }) => {
  test.setTimeout(120_000);
  await signIn(page, merchant);
  expect(mutations.length).toBeGreaterThan(5);
  for (const name of mutations) {
    const answer = await page.request.get(`/api/trpc/${name}?input=${encodeURIComponent('{}')}`);
    expect(answer.status(), name).toBe(405);
  }
});

test('a change comes from our own pages only: foreign, null and missing origins are refused', async ({
  page,
  merchant,
}) => {
  test.setTimeout(120_000);
  await signIn(page, merchant);
  for (const origin of ['https://evil.example', 'null', `${new URL(page.url()).origin}.evil.example`]) {
    for (const name of mutations) {
      expect((await post(page.request, `/api/trpc/${name}?batch=1`, { origin })).status(), `${name} ${origin}`).toBe(
        403,
      );
    }
  }
  const missing = await post(page.request, `/api/trpc/${mutations[0]}?batch=1`, {});
  expect(missing.status()).toBe(403);
});

test('next-auth takes no sign-in and no sign-out without its token', async ({ page, merchant, demo }) => {
  await signIn(page, merchant);
  for (const path of ['/api/auth/signout', '/api/auth/callback/credentials']) {
    const { email, password } = merchant.owner;
    await page.request.post(path, { form: { email, password, json: 'true' }, headers: { origin: demo.origin } });
  }
  await page.goto('/home');
  await expect(page).toHaveURL('/home');
  await page.request.get('/api/auth/signout');
  await page.goto('/home');
  await expect(page).toHaveURL('/home');
});

test('the cookies of a session are kept from scripts and from other sites', async ({ page, merchant, context }) => {
  await signIn(page, merchant);
  const cookies = (await context.cookies()).filter(({ name }) => name.includes('next-auth'));
  expect(cookies.map(({ name }) => name).sort()).toEqual([
    'next-auth.callback-url',
    'next-auth.csrf-token',
    'next-auth.session-token',
  ]);
  for (const cookie of cookies)
    expect(cookie, cookie.name).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/' });
  expect(await page.evaluate(() => document.cookie)).not.toContain('next-auth');
});

test('a page of the office is kept by no cache, and gone after sign-out, back button and all', async ({
  page,
  merchant,
}) => {
  const { email = '' } = merchant.customers[0] ?? {};
  await signIn(page, merchant);
  for (const path of officePages) {
    const answer = await page.goto(path);
    expect(answer?.headers()['cache-control'], path).toContain('no-store');
  }
  await page.goto(`/customers?search=${encodeURIComponent(email)}`);
  await expect(page.getByText(email)).toBeVisible();
  await signOut(page);
  await page.goBack();
  await expect(page).toHaveURL(/\/sign-in/);
  await expect(page.getByText(email)).toHaveCount(0);
});

/** By the account's menu, as people do. */
async function signOut(page: Page): Promise<void> {
  await page
    .getByRole('button', { name: /Kopi & Kaya/ })
    .last()
    .click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.waitForURL((url) => !url.pathname.startsWith('/customers'));
}

test('a stranger learns nothing of what is inside', async ({ page, demo }) => {
  for (const [name] of procedures) {
    if (name === 'changes') continue;
    const isChange = mutations.includes(name);
    const url = `/api/trpc/${name}`;
    const answer = isChange
      ? await post(page.request, `${url}?batch=1`, { origin: demo.origin })
      : await page.request.get(`${url}?input=${encodeURIComponent('{}')}`);
    expect(answer.status(), name).toBe(401);
  }
  expect((await page.request.get('/export/orders?merchant=x')).status()).toBe(401);
});
