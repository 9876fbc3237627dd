/** Every procedure of the back office, over HTTP, called by people who may not: none is executed. */
import type { APIRequestContext } from '@playwright/test';
import type { StaffRole } from '@/server/domain/kernel/context';
import { listProcedures } from '@/server/trpc/procedures';
import { merchantHeader } from '@/server/trpc/staff/merchant-header';
import { staffRouter } from '@/server/trpc/staff/router';
import { countAttempt } from '../fixtures/attempts';
import { type DemoMerchant, merchantIn } from '../fixtures/demo';
import { signIn, signOut } from '../fixtures/screens';
import { signInAs } from '../fixtures/staff';
import { expect, test } from '../fixtures/test';

const procedures = listProcedures<{ roles: readonly StaffRole[] }>(staffRouter).filter(
  ({ type }) => type !== 'subscription',
);

/** Calls each procedure at the merchant, and expects that status from all of them. */
async function expectRefused(
  request: APIRequestContext,
  origin: string,
  merchant: DemoMerchant,
  { status, of = procedures }: { status: number; of?: typeof procedures },
) {
  expect(of.length).toBeGreaterThan(10);
  const headers = { origin, [merchantHeader]: merchant.id };
  for (const { path, type } of of) {
    const url = `/api/trpc/${path}`;
    const answer =
      type === 'mutation'
        ? await request.post(url, { headers, data: {} })
        : await request.get(`${url}?input=${encodeURIComponent('{}')}`, { headers });
    countAttempt(answer.status() >= 400);
    expect(answer.status(), path).toBe(status);
    expect(Object.keys(await answer.json()), path).toEqual(['error']);
  }
}

test('strangers, also with a forged cookie', async ({ page, context, demo, merchant }) => {
  await expectRefused(page.request, demo.origin, merchant, { status: 401 });
  const { hostname: domain } = new URL(demo.origin);
  const forged = { name: 'next-auth.session-token', domain, path: '/', httpOnly: true, sameSite: 'Lax' } as const;
  // A token without a signature.
  const unsigned = `${btoa('{"alg":"none"}')}.${btoa(JSON.stringify({ sub: merchant.owner.email }))}.`;
  await context.addCookies([{ ...forged, value: unsigned }]);
  await expectRefused(page.request, demo.origin, merchant, { status: 401 });
});

test('a copy of a session’s cookie after sign-out', async ({ page, context, demo, merchant }) => {
  await signIn(page, merchant, '/home');
  const copy = await context.cookies();
  await signOut(page);
  await page.waitForURL('/');
  await context.addCookies(copy);
  await expectRefused(page.request, demo.origin, merchant, { status: 401 });
});

test('the owner of another merchant', async ({ page, demo, merchant }) => {
  const own = merchantIn(demo, 'JPY');
  await signIn(page, own);
  await expectRefused(page.request, demo.origin, merchant, { status: 401 });
  // Their own they may see.
  const answer = await page.request.get('/api/trpc/stores.list?input={}', { headers: { [merchantHeader]: own.id } });
  expect(answer.status()).toBe(200);
});

test('a manager and a cashier, for what is not of their role', async ({ browser, demo, merchant }) => {
  for (const { role, ...person } of merchant.staff) {
    const context = await browser.newContext({ baseURL: demo.origin });
    const page = await context.newPage();
    await signInAs(page, person);
    const of = procedures.filter(({ meta }) => !meta.roles.includes(role));
    await expectRefused(page.request, demo.origin, merchant, { status: 403, of });
    await context.close();
  }
});
