/** What a sign-in does to an earlier session of the same browser. */
import { encode } from 'next-auth/jwt';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { only } from '@/db/query/queries';
import { sharedDatabase } from '@/db/testing/database';
import { findStaff } from '@/server/domain/access';
import { testSecret, testServices } from '@/server/testing/factory';
import { createPerson, password, sessionOf } from '@/server/testing/people';
import { useSettings } from '@/server/testing/settings';
import { authCookies } from './cookies';

const PUBLIC_ORIGIN = 'http://localhost:3000';
const database = sharedDatabase();
let options: typeof import('./options');
let restore: () => void;
const jar = new Map<string, string>();
// Next provides cookies and headers only inside its own requests.
vi.mock('next/headers', () => ({
  cookies: async () => ({
    getAll: () => [...jar].map(([name, value]) => ({ name, value })),
    get: (name: string) => (jar.has(name) ? { value: jar.get(name) } : undefined),
    set: () => {},
  }),
  headers: async () => new Headers(),
}));

beforeAll(async () => {
  const settings = { APP_ENV: 'sandbox', AUTH_SECRET: testSecret, DATA_SECRET: testSecret, LOG_LEVEL: 'silent' };
  restore = useSettings({ ...settings, PUBLIC_ORIGIN, DATABASE_URL: database.url, DATABASE_OWNER_URL: '' });
  options = await import('./options');
});
afterAll(async () => {
  const { getServices } = await import('@/server/process/services');
  await getServices().db.close();
  restore();
});

async function signIn(credentials: { email: string; password: string }): Promise<{ sessionToken: string } | null> {
  const provider = only(options.authOptions({ getAll: () => [] }).providers);
  return (provider.options as { authorize: typeof signIn }).authorize(credentials);
}

test('it ends with a right password, whoever it was of, and goes on with a wrong one', async () => {
  const services = testServices(database.db);
  const isOpen = async (token: string) => (await findStaff(services, token)) !== null;
  const [ann, bob] = [await createPerson(database.owner), await createPerson(database.owner)];
  const replaced = await sessionOf(services, ann.userId);
  const elsewhere = await sessionOf(services, ann.userId);
  const token = { sub: ann.userId, sessionToken: replaced };
  jar.set(authCookies(PUBLIC_ORIGIN).sessionToken.name, await encode({ token, secret: testSecret }));
  expect(await signIn({ email: bob.email, password: 'not the password' })).toBeNull();
  expect(await isOpen(replaced)).toBe(true);
  const started = await signIn({ email: bob.email, password });
  expect(await Promise.all([started?.sessionToken ?? '', elsewhere, replaced].map(isOpen))).toEqual([
    true,
    true,
    false,
  ]);
});
