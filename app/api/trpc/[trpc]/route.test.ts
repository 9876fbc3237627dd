/** The rate limit per person, tested through the route itself. */
import { encode } from 'next-auth/jwt';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { ownDatabase } from '@/db/testing/database';
import { authCookies } from '@/server/auth/cookies';
import { createMerchant, testSecret } from '@/server/testing/factory';
import { sessionOf } from '@/server/testing/people';
import { useSettings } from '@/server/testing/settings';
import { createStaff } from '@/server/testing/staff';
import { maxBatchSize, merchantHeader } from '@/server/trpc/staff/merchant-header';

const database = ownDatabase();
let getServices: typeof import('@/server/environment/services').getServices;
let GET: typeof import('./route').GET;
let POST: typeof import('./route').POST;
let restore: () => void;
const PUBLIC_ORIGIN = 'http://localhost:3000';
let jar: { name: string; value: string }[] = [];
// Next provides cookies only inside its own requests.
vi.mock('next/headers', () => ({ cookies: async () => ({ getAll: () => jar }) }));

beforeAll(async () => {
  const settings = { APP_ENV: 'sandbox', AUTH_SECRET: testSecret, DATA_SECRET: testSecret, LOG_LEVEL: 'silent' };
  restore = useSettings({ ...settings, PUBLIC_ORIGIN, DATABASE_URL: database.url, DATABASE_OWNER_URL: '' });
  ({ getServices } = await import('@/server/environment/services'));
  ({ GET, POST } = await import('./route'));
});
afterAll(async () => {
  await getServices().db.close();
  restore();
});

/** Signs in a member of staff, who calls several procedures in one request. */
async function signedIn(merchantId: string) {
  const { staff } = await createStaff(database.owner, getServices(), merchantId);
  const token = { sub: staff.userId, sessionToken: await sessionOf(getServices(), staff.userId) };
  const { name } = authCookies(PUBLIC_ORIGIN).sessionToken;
  const value = await encode({ token, secret: testSecret });
  return (calls: number) => {
    jar = [{ name, value }];
    const procedures = Array.from({ length: calls }, () => 'stores.list').join(',');
    const address = `${PUBLIC_ORIGIN}/api/trpc/${procedures}?batch=1&input={}`;
    return GET(new Request(address, { headers: { [merchantHeader]: merchantId } }));
  };
}

test('a person who makes over 300 calls at once gets 429 with Retry-After, and a colleague does not', async () => {
  const { id } = await createMerchant(database.owner);
  const [hasty, calm] = [await signedIn(id), await signedIn(id)];
  expect((await hasty(1)).status).toBe(200);
  const batches = Array.from({ length: Math.ceil(600 / maxBatchSize) }, () => hasty(maxBatchSize));
  const refused = (await Promise.all(batches)).filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThan(0);
  for (const { headers } of refused) expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  expect(await refused[0]?.text()).not.toContain('NORTH');
  expect((await calm(1)).status).toBe(200);
});

/** Sends a body of `size` bytes to a procedure. Returns the status, the error's code, and how much was read. */
async function post(path: string, size: number, contentType = 'application/json') {
  let bytesRead = 0;
  const body = new ReadableStream({
    pull(controller) {
      if (bytesRead >= size) return controller.close();
      const chunk = new Uint8Array(Math.min(65_536, size - bytesRead)).fill(0x20);
      bytesRead += chunk.length;
      controller.enqueue(chunk);
    },
  });
  const headers = { origin: PUBLIC_ORIGIN, 'content-type': contentType };
  const request = new Request(`${PUBLIC_ORIGIN}/api/trpc/${path}`, {
    method: 'POST',
    headers,
    body,
    duplex: 'half',
  } as never);
  const answer = await POST(request);
  const { error } = await answer.json();
  return { status: answer.status, code: error?.data?.code, bytesRead };
}

test('a body over 1 MiB gets 413 before it is parsed or read to its end, in whatever form and from whomever', async () => {
  const { id } = await createMerchant(database.owner);
  const mebibyte = 1024 * 1024;
  const call = await signedIn(id);
  await call(1);
  for (const cookies of [jar, []]) {
    jar = cookies;
    for (const type of ['application/json', 'multipart/form-data; boundary=x', 'text/plain']) {
      const refused = await post('stores.create', 64 * mebibyte, type);
      expect(refused).toMatchObject({ status: 413, code: 'PAYLOAD_TOO_LARGE' });
      expect(refused.bytesRead).toBeLessThan(2 * mebibyte);
    }
  }
  expect((await post('stores.create', mebibyte)).status).toBe(401);
});

test('the file of a menu may have 16 MiB, from staff only', async () => {
  const { id } = await createMerchant(database.owner);
  const call = await signedIn(id);
  const mebibyte = 1024 * 1024;
  jar = [];
  expect((await post('menu.importItems', 2 * mebibyte)).status).toBe(413);
  await call(1);
  // Not too large, but refused because it names no merchant.
  expect((await post('menu.importItems', 16 * mebibyte)).status).toBe(401);
  expect((await post('menu.importItems', 17 * mebibyte)).status).toBe(413);
});

test('without the database, a menu’s file fails as every call does, in a form that screens read', async () => {
  const { id } = await createMerchant(database.owner);
  const call = await signedIn(id);
  await getServices().db.close();
  const { status, headers } = await call(1);
  expect(await post('menu.importItems', 2 * 1024 * 1024)).toMatchObject({ status, code: 'SERVICE_UNAVAILABLE' });
  expect([status, headers.get('retry-after')]).toEqual([503, '1']);
});

test('a photo is not read for a stranger', async () => {
  jar = [];
  const refused = await post('menu.uploadPhoto', 64 * 1024 * 1024, 'application/octet-stream');
  expect(refused.status).toBe(401);
  expect(refused.bytesRead).toBeLessThan(1024 * 1024);
});
