/** Through the route, only a business's owners get all of its data, and only right after a proof of who they are. */
import { encode } from 'next-auth/jwt';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { ownDatabase } from '@/db/testing/database';
import { authCookies } from '@/server/auth/cookies';
import { createMerchant, testSecret } from '@/server/testing/factory';
import { sessionOf } from '@/server/testing/people';
import { useSettings } from '@/server/testing/settings';
import { createStaff } from '@/server/testing/staff';

const database = ownDatabase();
let getServices: typeof import('@/server/environment/services').getServices;
let route: typeof import('@/app/(back-office)/export/[list]/route');
let restore: () => void;
const PUBLIC_ORIGIN = 'http://localhost:3000';
let jar: { name: string; value: string }[] = [];
// Next provides cookies only inside its own requests.
vi.mock('next/headers', () => ({ cookies: async () => ({ getAll: () => jar }) }));

beforeAll(async () => {
  const settings = { APP_ENV: 'sandbox', AUTH_SECRET: testSecret, DATA_SECRET: testSecret, LOG_LEVEL: 'silent' };
  restore = useSettings({ ...settings, PUBLIC_ORIGIN, DATABASE_URL: database.url, DATABASE_OWNER_URL: '' });
  ({ getServices } = await import('@/server/environment/services'));
  route = await import('@/app/(back-office)/export/[list]/route');
});
afterAll(async () => {
  await getServices().db.close();
  restore();
});

const get = (merchantId: string) =>
  route.GET(new Request(`${PUBLIC_ORIGIN}/export/business?merchant=${merchantId}`), {
    params: Promise.resolve({ list: 'business' }),
  });

/** Signs a person in, as of `minutesAgo`. */
async function signIn(userId: string, minutesAgo = 0) {
  const sessionToken = await sessionOf(getServices(), userId);
  await database.owner`
    update staff_sessions set confirmed_at = now() - make_interval(mins => ${minutesAgo}) where user_id = ${userId}`;
  const value = await encode({ token: { sub: userId, sessionToken }, secret: testSecret });
  jar = [{ name: authCookies(PUBLIC_ORIGIN).sessionToken.name, value }];
}

test.each([
  ['owner', 0, 200],
  ['owner', 16, 403],
  ['manager', 0, 403],
  ['cashier', 0, 403],
] as const)('%s who proved it %s minutes ago: %s', async (role, minutesAgo, status) => {
  const { id } = await createMerchant(database.owner);
  const { staff } = await createStaff(database.owner, getServices(), id, role);
  await signIn(staff.userId, minutesAgo);
  const answer = await get(id);
  expect(answer.status).toBe(status);
  const content = Buffer.from(await answer.arrayBuffer());
  if (status !== 200) return;
  expect(answer.headers.get('content-type')).toBe('application/zip');
  expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="business-[-\d]+\.zip"$/);
  expect(content.subarray(0, 2).toString()).toBe('PK');
});

test('an owner of another business gets nothing', async () => {
  const [own, other] = [await createMerchant(database.owner), await createMerchant(database.owner)];
  const { staff } = await createStaff(database.owner, getServices(), own.id, 'owner');
  await signIn(staff.userId);
  expect((await get(other.id)).status).toBe(401);
});
