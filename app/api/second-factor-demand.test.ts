/** A merchant's demand for a second factor is enforced on every route: procedures, exports and uploads. */
import { encode } from 'next-auth/jwt';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { ownDatabase } from '@/db/testing/database';
import { authCookies } from '@/server/auth/cookies';
import { findStaff } from '@/server/domain/access';
import { createMerchant, testSecret } from '@/server/testing/factory';
import { addApp, sessionOf } from '@/server/testing/people';
import { useSettings } from '@/server/testing/settings';
import { createStaff } from '@/server/testing/staff';
import { merchantHeader } from '@/server/trpc/staff/merchant-header';

const database = ownDatabase();
let getServices: typeof import('@/server/environment/services').getServices;
let ways: Record<string, (merchantId: string) => Promise<Response>>;
let restore: () => void;
const PUBLIC_ORIGIN = 'http://localhost:3000';
let jar: { name: string; value: string }[] = [];
// Next provides cookies only inside its own requests.
vi.mock('next/headers', () => ({ cookies: async () => ({ getAll: () => jar }) }));

beforeAll(async () => {
  const settings = { APP_ENV: 'sandbox', AUTH_SECRET: testSecret, DATA_SECRET: testSecret, LOG_LEVEL: 'silent' };
  restore = useSettings({ ...settings, PUBLIC_ORIGIN, DATABASE_URL: database.url, DATABASE_OWNER_URL: '' });
  ({ getServices } = await import('@/server/environment/services'));
  const procedures = await import('./trpc/[trpc]/route');
  const uploads = await import('./customer-imports/route');
  const exports = await import('@/app/(back-office)/export/[list]/route');
  const from = (merchantId: string) => ({ origin: PUBLIC_ORIGIN, [merchantHeader]: merchantId });
  ways = {
    procedure: (merchantId) =>
      procedures.GET(new Request(`${PUBLIC_ORIGIN}/api/trpc/stores.list`, { headers: from(merchantId) })),
    export: (merchantId) =>
      exports.GET(new Request(`${PUBLIC_ORIGIN}/export/transactions?merchant=${merchantId}`), {
        params: Promise.resolve({ list: 'transactions' }),
      }),
    upload: (merchantId) =>
      uploads.POST(
        new Request(`${PUBLIC_ORIGIN}/api/customer-imports?name=customers.csv`, {
          method: 'POST',
          headers: from(merchantId),
          body: 'name,phone\nAnn,+6581234567\n',
        }),
      ),
  };
});
afterAll(async () => {
  await getServices().db.close();
  restore();
});

test.each(['procedure', 'export', 'upload'])('%s', async (way) => {
  const { id } = await createMerchant(database.owner);
  const { staff } = await createStaff(database.owner, getServices(), id, 'manager');
  const sessionToken = await sessionOf(getServices(), staff.userId);
  const value = await encode({ token: { sub: staff.userId, sessionToken }, secret: testSecret });
  jar = [{ name: authCookies(PUBLIC_ORIGIN).sessionToken.name, value }];
  const call = async () => {
    const response = await ways[way]?.(id);
    return [response?.status, await response?.text()] as const;
  };
  const [allowed] = await call();
  await database.owner`
    update merchants set second_factor_of = 'managers', second_factor_from = now() + interval '1 hour' where id = ${id}`;
  expect([200, 201]).toContain(allowed);
  expect((await call())[0]).toBe(allowed);
  await database.owner`update merchants set second_factor_from = now() where id = ${id}`;
  const [status, text] = await call();
  expect(status).toBe(403);
  expect(text).toMatch(/requires a second step|secondFactorDemanded/);
  const person = await findStaff(getServices(), sessionToken);
  if (!person) throw new Error('the session has ended');
  await addApp(getServices(), person);
  expect((await call())[0]).toBe(allowed);
});
