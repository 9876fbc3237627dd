/** Stripe's events and photos that are requested from the cell that a merchant has left. */

import Stripe from 'stripe';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { queriesOn } from '@/db/driver';
import { ownDatabase } from '@/db/testing/database';
import { newId } from '@/server/domain/kernel/ids';
import { keepReferences } from '@/server/domain/merchants';
import { readStripeEvent } from '@/server/gateways/stripe-events';
import { createMerchant, testSecret } from '@/server/testing/factory';
import { useSettings } from '@/server/testing/settings';

const secret = 'whsec_for tests only';
const database = ownDatabase();
let POST: typeof import('./api/webhooks/stripe/route').POST;
let photo: typeof import('@/app/photos/[photoId]/[size]/route').GET;
let close: () => Promise<void>;
let restore: () => void;

beforeAll(async () => {
  restore = useSettings({
    APP_ENV: 'sandbox',
    AUTH_SECRET: testSecret,
    DATA_SECRET: testSecret,
    LOG_LEVEL: 'silent',
    CELL: 'sg1',
    PUBLIC_ORIGIN: 'https://{cell}.loyalty.example.com',
    STRIPE_SECRET_KEY: 'sk_test_for tests only',
    STRIPE_WEBHOOK_SECRET: secret,
    DATABASE_URL: database.url,
    DATABASE_OWNER_URL: '',
  });
  const { getServices } = await import('@/server/environment/services');
  ({ POST } = await import('./api/webhooks/stripe/route'));
  ({ GET: photo } = await import('@/app/photos/[photoId]/[size]/route'));
  close = () => getServices().db.close();
});
afterAll(async () => {
  await close();
  restore();
});
afterEach(() => vi.restoreAllMocks());

async function createMoved(): Promise<string> {
  const { owner } = database;
  const { id } = await createMerchant(owner);
  await owner`insert into merchant_moves ${owner({ merchant_id: id, state: 'left', cell: 'sg2', left_at: new Date() })}`;
  await owner.begin((tx) => keepReferences(queriesOn(tx), id));
  return id;
}

function signed(merchantId: string, headers: Record<string, string> = {}) {
  const metadata = { merchantId, topUpRequestId: newId(), cell: 'sg1' };
  const body = JSON.stringify({
    id: 'evt_1',
    object: 'event',
    data: { object: { object: 'charge', id: 'ch_1', metadata } },
  });
  const signature = Stripe.webhooks.generateTestHeaderString({ payload: body, secret });
  const init = { method: 'POST', body, headers: { 'stripe-signature': signature, ...headers } };
  return new Request('https://loyalty.example.com/api/webhooks/stripe', init);
}

/** Collects what is sent to other cells, which answer with `status`. */
function otherCell(status: number) {
  const sent: { url: string; body: Buffer; headers: Headers }[] = [];
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (url, init) => {
    sent.push({ url: String(url), body: Buffer.from(init?.body as Uint8Array), headers: new Headers(init?.headers) });
    return new Response('', { status });
  });
  return sent;
}

test('it is sent on as it came, and acknowledged once the new cell has taken it', async () => {
  const merchantId = await createMoved();
  const sent = otherCell(200);
  expect((await POST(signed(merchantId))).status).toBe(200);
  expect(sent.map(({ url }) => url)).toEqual(['https://sg2.loyalty.example.com/api/webhooks/stripe']);
  const [{ body, headers } = { body: Buffer.of(), headers: new Headers() }] = sent;
  expect(readStripeEvent(body, headers.get('stripe-signature'), [secret], 'sk_test_1')).toMatchObject({
    told: { merchantId },
  });
});

test('Stripe sends it again if the new cell is away, or sends it back', async () => {
  const merchantId = await createMoved();
  const sent = otherCell(503);
  expect((await POST(signed(merchantId))).status).toBe(503);
  const fromCell = sent[0]?.headers.get('x-from-cell') ?? '';
  expect((await POST(signed(merchantId, { 'x-from-cell': fromCell }))).status).toBe(503);
  vi.mocked(fetch).mockRejectedValue(new TypeError('fetch failed'));
  expect((await POST(signed(merchantId))).status).toBe(503);
  expect(sent).toHaveLength(1);
});

test('a forged one goes nowhere', async () => {
  const merchantId = await createMoved();
  const sent = otherCell(200);
  expect((await POST(signed(merchantId, { 'stripe-signature': 't=1,v1=00' }))).status).toBe(403);
  expect(sent).toEqual([]);
});

test('a photo leads to the new cell, and is not found if it is unknown', async () => {
  const { owner } = database;
  const { id: merchantId } = await createMerchant(owner);
  const [photoId, size] = [newId(), '160'];
  await owner`insert into merchant_moves ${owner({ merchant_id: merchantId, state: 'left', cell: 'sg2', left_at: new Date() })}`;
  const reference = Buffer.from(photoId.replaceAll('-', ''), 'hex');
  await owner`insert into moved_references ${owner({ merchant_id: merchantId, kind: 'photo', reference })}`;
  const get = (id: string) =>
    photo(new Request('https://x.invalid'), { params: Promise.resolve({ photoId: id, size }) });
  const moved = await get(photoId);
  expect([moved.status, moved.headers.get('location')]).toEqual([
    307,
    `https://sg2.loyalty.example.com/photos/${photoId}/160`,
  ]);
  expect((await get(newId())).status).toBe(404);
});
