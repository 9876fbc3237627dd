/** Requests that the browser-facing routes reject. */
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join, sep } from 'node:path';
import type { APIRequestContext } from '@playwright/test';
import type { AnyTRPCRouter } from '@trpc/server';
import { accountRouter } from '@/server/trpc/account/router';
import { dinerRouter } from '@/server/trpc/diner/router';
import { listProcedures } from '@/server/trpc/procedures';
import { staffRouter } from '@/server/trpc/staff/router';
import { countAttempt } from '../fixtures/attempts';
import { signIn, signOut } from '../fixtures/screens';
import { layTable } from '../fixtures/table';
import { expect, test } from '../fixtures/test';

const mutationsOf = (router: AnyTRPCRouter) =>
  listProcedures(router)
    .filter(({ type }) => type === 'mutation')
    .map(({ path }) => path);
const mutations = mutationsOf(staffRouter);

/** The mutations that our pages may call, by route. */
const changes: Record<string, string[]> = {
  'trpc/[trpc]': mutations.map((name) => `trpc/${name}?batch=1`),
  'account/[procedure]': mutationsOf(accountRouter).map((name) => `account/${name}`),
  'diner/[trpc]': mutationsOf(dinerRouter).map((name) => `diner/${name}`),
  'session/merchant': ['session/merchant'],
  'customer-imports': ['customer-imports?name=guests.csv'],
};
/** Routes with another guard: a key, a signature, or next-auth's token; and the catch-all 404. */
const guardedOtherwise = [
  '[...path]',
  'auth/[...nextauth]',
  'v1/[...path]',
  'webhooks/stripe',
  'webhooks/stripe/connect',
  'webhooks/whatsapp',
];

/** Follows no redirect: the first response counts. */
async function post(request: APIRequestContext, url: string, headers: Record<string, string>) {
  const answer = await request.post(url, { headers, data: { 0: {} }, maxRedirects: 0 });
  countAttempt(answer.status() >= 400);
  return answer;
}

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

test('GET changes nothing: every mutation is rejected', async ({ page, merchant }) => {
  await signIn(page, merchant);
  for (const [path, router] of Object.entries({ trpc: staffRouter, account: accountRouter, diner: dinerRouter })) {
    const names = mutationsOf(router);
    expect(names.length, path).toBeGreaterThan(2);
    for (const name of names) {
      const answer = await page.request.get(`/api/${path}/${name}?input=${encodeURIComponent('{}')}`);
      countAttempt(answer.status() >= 400);
      expect(answer.status(), `${path}/${name}`).toBe(405);
    }
  }
});

test('changes come from our own pages only: foreign, null and missing origins are rejected', async ({
  page,
  merchant,
  demo,
}) => {
  const routes = readdirSync('app/api', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('route.ts') && /\bPOST\b/.test(readFileSync(join('app/api', file), 'utf8')))
    .map((file) => dirname(file).split(sep).join('/'));
  expect(routes.sort()).toEqual([...Object.keys(changes), ...guardedOtherwise].sort());
  await signIn(page, merchant);
  const addresses = Object.values(changes).flat();
  expect(addresses.length).toBeGreaterThan(60);
  for (const address of addresses) {
    for (const origin of ['https://evil.example', 'null', `${demo.origin}.evil.example`, null]) {
      const answer = await post(page.request, `/api/${address}`, origin === null ? {} : { origin });
      expect(answer.status(), `${address} ${origin}`).toBe(403);
    }
  }
});

test('next-auth accepts no sign-in or sign-out without its token', async ({ page, merchant, demo }) => {
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

test('next-auth returns no server error to a plain GET', async ({ page }) => {
  const actions = [
    'session',
    'csrf',
    'providers',
    'signin',
    'signout',
    'callback/credentials',
    'error',
    'none',
    'callback',
  ];
  for (const action of actions) {
    for (const method of ['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS']) {
      const answer = await page.request.fetch(`/api/auth/${action}`, { method, maxRedirects: 0 });
      expect(answer.status(), `${method} ${action}`).toBeLessThan(500);
    }
  }
});

test('nobody can have images resized', async ({ page, merchant }) => {
  await signIn(page, merchant, '/menu');
  const photo = (await page.locator('main img').first().getAttribute('src')) ?? '';
  for (const path of [photo, '/icon.svg']) {
    const answer = await page.request.get(`/_next/image?url=${encodeURIComponent(path)}&w=640&q=75`);
    expect(answer.status(), path).toBe(404);
  }
});

test('no page of another origin shows anything of ours in a frame', async ({
  page,
  merchant,
  till,
  demo,
  complaints,
}) => {
  const { url } = await layTable(till);
  await signIn(page, merchant);
  const photo = await page.goto('/menu').then(() => page.locator('main img').first().getAttribute('src'));
  const paths = [
    '/',
    '/sign-in',
    '/home',
    new URL(url).pathname,
    '/docs',
    '/docs/console',
    '/nowhere',
    '/api/openapi.json',
    photo,
  ];
  // The same machine by another name is another origin; its own frame shows that frames work there.
  const elsewhere = createServer((_, response) => {
    response.setHeader('content-type', 'text/html');
    const frames = paths.map((path) => `<iframe src="${demo.origin}${path}"></iframe>`);
    response.end(`<iframe srcdoc="a frame"></iframe><iframe src="/own"></iframe>${frames.join('')}`);
  });
  elsewhere.listen(0, '127.0.0.1');
  await once(elsewhere, 'listening');
  const { port } = elsewhere.address() as AddressInfo;
  await page.route('**/own', (route) => route.fulfill({ contentType: 'text/html', body: 'a frame of its own' }));
  await page.goto(`http://127.0.0.1:${port}/`, { waitUntil: 'load' });
  const blocked = paths.map(() => 'chrome-error://chromewebdata/');
  const expected = ['about:srcdoc', `http://127.0.0.1:${port}/own`, ...blocked];
  await expect
    .poll(() =>
      page
        .frames()
        .slice(1)
        .map((frame) => frame.url()),
    )
    .toEqual(expected);
  // Each frame that is refused is told of in the console.
  await expect.poll(() => complaints.filter((text) => text.includes('frame-ancestors')).length).toBe(paths.length);
  elsewhere.closeAllConnections();
  elsewhere.close();
  complaints.length = 0;
});

test('a back-office page is gone after sign-out, also by the back button', async ({ page, merchant }) => {
  const { email = '' } = merchant.customers[0] ?? {};
  await signIn(page, merchant, `/customers?search=${encodeURIComponent(email)}`);
  await expect(page.getByText(email)).toBeVisible();
  await signOut(page);
  await page.waitForURL((url) => !url.pathname.startsWith('/customers'));
  await page.goBack();
  await expect(page).toHaveURL(/\/sign-in/);
  await expect(page.getByText(email)).toHaveCount(0);
});

test('a visitor learns nothing about the back office', async ({ page, demo }) => {
  for (const { path: name } of listProcedures(staffRouter)) {
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
