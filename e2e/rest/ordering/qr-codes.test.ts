import { beforeAll, describe, expect, test } from 'vitest';
import { newId } from '@/server/domain/kernel/ids';
import { order as toOrder } from '@/server/domain/qr-ordering/schemas';
import { createMenu, createOrder } from '@/server/testing/factory-ordering';
import { operationSuite } from '../expectations';
import { createScene, newTransactionId, restApi, type Scene } from '../harness';
import { readPng, readSvg } from './qr-image';

const api = restApi();
let scene: Scene;

beforeAll(async () => {
  scene = await createScene(api);
  await createMenu(api.owner, scene.merchant.id);
});

const newBill = () => `bill-${newTransactionId()}`;
const generate = (body: Record<string, unknown> = {}, key = scene.key) =>
  api.post(key, '/qr-codes', { billId: newBill(), ...body });
const invalidate = (body: Record<string, unknown>, key = scene.key) => api.post(key, '/qr-codes/invalidate', body);
const get = (id: string, key = scene.key, query = '') => api.get(key, `/qr-codes/${id}${query}`);

async function newCode(body: Record<string, unknown> = {}) {
  const answer = await generate(body);
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

/** As if its time had run out: it was made so long ago. */
const age = (qrCodeId: string) =>
  api.owner`update qr_codes set expires_at = now() - interval '1 second' where id = ${qrCodeId}`;

const minutesAhead = (instant: string) => (Date.parse(instant) - Date.now()) / 60_000;

describe('generateQrCode', () => {
  const { expectError, expectSuccess, coversReference } = operationSuite('generateQrCode');

  test('200: a code for the bill, valid for four hours', async () => {
    const billId = newBill();
    const answer = expectSuccess(await generate({ billId, table: '12', guests: 4 }));
    expect(answer).toEqual({
      qrCodeId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      billId,
      table: '12',
      guests: 4,
      status: 'active',
      url: expect.stringMatching(/^https?:\/\/[^/]+\/q\/[A-Za-z0-9_-]{22}$/),
      imageSvg: expect.stringMatching(/^<svg [\s\S]+<\/svg>\s*$/),
      imagePng: expect.stringMatching(/^data:image\/png;base64,[A-Za-z0-9+/]+=*$/),
      expiresAt: expect.stringMatching(/Z$/),
      createdAt: expect.stringMatching(/Z$/),
    });
    expect(Math.abs(minutesAhead(answer.expiresAt) - 240)).toBeLessThan(1);
  });

  test('200: both images encode the URL, readable large and at receipt size', async () => {
    const { url, imagePng, imageSvg } = await newCode();
    expect(readPng(Buffer.from(imagePng.split(',')[1] ?? '', 'base64'))).toBe(url);
    for (const width of [120, 300, 1_000]) expect(readSvg(imageSvg, width), `${width} pixels`).toBe(url);
    const other = await newCode();
    expect(readSvg(other.imageSvg, 300)).not.toBe(url);
  });

  test('200: the same open bill has the same code, whatever other fields are sent', async () => {
    const billId = newBill();
    const first = expectSuccess(await generate({ billId, table: '12' }));
    for (const rest of [{}, { table: '12' }, { table: '7', guests: 2, expiresInMinutes: 5 }]) {
      expect(expectSuccess(await generate({ billId, ...rest }))).toEqual(first);
    }
  });

  test('200: another bill, and the same bill number at another store, have separate codes', async () => {
    const billId = newBill();
    const codes = [
      await generate({ billId }),
      await generate(),
      await generate({ billId }, scene.merchant.stores[1].key),
    ].map(expectSuccess);
    expect(new Set(codes.map(({ qrCodeId }) => qrCodeId)).size).toBe(3);
    expect(new Set(codes.map(({ url }) => url)).size).toBe(3);
  });

  test.each([5, 1_440])('200: valid for %i minutes', async (expiresInMinutes) => {
    const { expiresAt } = expectSuccess(await generate({ expiresInMinutes }));
    expect(Math.abs(minutesAhead(expiresAt) - expiresInMinutes)).toBeLessThan(1);
  });

  test('200: an open code’s validity can be extended, never shortened', async () => {
    const billId = newBill();
    const { qrCodeId, expiresAt } = expectSuccess(await generate({ billId, expiresInMinutes: 60 }));
    for (const rest of [{}, { expiresInMinutes: 5 }]) {
      expect(expectSuccess(await generate({ billId, ...rest })).expiresAt).toBe(expiresAt);
    }
    const later = expectSuccess(await generate({ billId, expiresInMinutes: 600 }));
    expect(later.qrCodeId).toBe(qrCodeId);
    expect(Math.abs(minutesAhead(later.expiresAt) - 600)).toBeLessThan(1);
    expect((await get(qrCodeId)).body.expiresAt).toBe(later.expiresAt);
    const [audited] = await api.owner`
      select before, after from audit_log where action = 'qrCode.prolong' and subject_id = ${qrCodeId}`;
    expect(JSON.parse(audited?.before)).toEqual({ expiresAt });
    expect(JSON.parse(audited?.after)).toEqual({ expiresAt: later.expiresAt, billId });
  });

  test('200: after expiry or invalidation, the bill gets a new code', async () => {
    const billId = newBill();
    const first = expectSuccess(await generate({ billId }));
    await age(first.qrCodeId);
    const second = expectSuccess(await generate({ billId }));
    await invalidate({ billId });
    const third = expectSuccess(await generate({ billId }));
    expect(new Set([first, second, third].map(({ url }) => url)).size).toBe(3);
    const states = [first, second, third].map(async ({ qrCodeId }) => (await get(qrCodeId)).body.status);
    expect(await Promise.all(states)).toEqual(['expired', 'invalidated', 'active']);
  });

  test('the token is stored nowhere', async () => {
    const { qrCodeId, url } = await newCode();
    const token = url.split('/q/')[1] ?? '';
    const [row] = await api.owner`select to_json(q)::text as all from qr_codes q where id = ${qrCodeId}`;
    expect(row?.all).not.toContain(token);
    expect(row?.all).not.toContain(Buffer.from(token).toString('hex'));
  });

  test('400, 401, 403 and 404', async () => {
    const { issues } = expectError(await generate({ guests: 0, expiresInMinutes: 4 }), 400, 'invalid_request');
    expect(issues.map(({ path }: { path: string }) => path)).toEqual(['guests', 'expiresInMinutes']);
    expectError(await generate({ expiresInMinutes: 1_441 }), 400, 'invalid_request');
    expectError(await generate({}, 'no key'), 401, 'invalid_api_key');
    expectError(await generate({ storeCode: 'SOUTH' }), 403, 'store_forbidden');
    expectError(await generate({ storeCode: 'EAST' }, scene.merchant.key), 404, 'store_not_found');
  });

  coversReference();
});

describe('invalidateQrCode', () => {
  const { expectError, expectSuccess, coversReference } = operationSuite('invalidateQrCode');

  test.each(['qrCodeId', 'billId'] as const)('200: by %s; again: the same response', async (by) => {
    const code = await newCode();
    const first = await invalidate({ [by]: code[by] });
    expect(expectSuccess(first)).toEqual({
      qrCodeId: code.qrCodeId,
      billId: code.billId,
      status: 'invalidated',
      invalidatedAt: expect.stringMatching(/Z$/),
    });
    for (const name of ['qrCodeId', 'billId'] as const) {
      expect((await invalidate({ [name]: code[name] })).text).toBe(first.text);
    }
    const rows = await api.owner`
      select from audit_log where action = 'qrCode.invalidate' and subject_id = ${code.qrCodeId}`;
    expect(rows).toHaveLength(1);
  });

  test('200: from then on no order is accepted; earlier orders stay', async () => {
    const { qrCodeId } = await newCode();
    const order = await createOrder(api.db, scene.merchant.id, { qrCodeId });
    expectSuccess(await invalidate({ qrCodeId }));
    await expect(createOrder(api.db, scene.merchant.id, { qrCodeId })).rejects.toMatchObject({
      code: 'qr_code_closed',
    });
    expect((await get(qrCodeId)).body.orders).toEqual([toOrder.parse(order)]);
  });

  test('200: by bill, the open code of the bill, not an older one', async () => {
    const billId = newBill();
    const first = await newCode({ billId });
    await invalidate({ billId });
    const second = await newCode({ billId });
    expect(expectSuccess(await invalidate({ billId })).qrCodeId).toBe(second.qrCodeId);
    expect(expectSuccess(await invalidate({ billId })).qrCodeId).toBe(second.qrCodeId);
    expect(expectSuccess(await invalidate({ qrCodeId: first.qrCodeId })).qrCodeId).toBe(first.qrCodeId);
  });

  test('200: also after expiry', async () => {
    const { qrCodeId } = await newCode();
    await age(qrCodeId);
    expect(expectSuccess(await invalidate({ qrCodeId })).status).toBe('invalidated');
    expect((await get(qrCodeId)).body.status).toBe('invalidated');
  });

  test('400: both, neither, ill-formed', async () => {
    const { qrCodeId, billId } = await newCode();
    for (const body of [{}, { qrCodeId, billId }, { qrCodeId: 'x' }, { billId: '' }]) {
      expectError(await invalidate(body), 400, 'invalid_request');
    }
    expect((await get(qrCodeId)).body.status).toBe('active');
  });

  test('401, 403 and 404; a code of another store does not exist', async () => {
    const { qrCodeId, billId } = await newCode();
    expectError(await invalidate({ billId }, 'no key'), 401, 'invalid_api_key');
    expectError(await invalidate({ billId, storeCode: 'SOUTH' }), 403, 'store_forbidden');
    expectError(await invalidate({ billId, storeCode: 'EAST' }, scene.merchant.key), 404, 'store_not_found');
    for (const body of [{ qrCodeId: newId() }, { billId: newBill() }]) {
      expectError(await invalidate(body), 404, 'qr_code_not_found');
    }
    for (const body of [{ qrCodeId }, { billId }]) {
      expectError(await invalidate(body, scene.merchant.stores[1].key), 404, 'qr_code_not_found');
    }
    expect((await get(qrCodeId)).body.status).toBe('active');
  });

  coversReference();
});

describe('getQrCode', () => {
  const { expectError, expectSuccess, coversReference } = operationSuite('getQrCode');

  test('200: the code with its orders, oldest first, without URL or image', async () => {
    const { qrCodeId, billId, expiresAt, createdAt } = await newCode({ table: 'Terrace 3', guests: 2 });
    const orders = [
      toOrder.parse(await createOrder(api.db, scene.merchant.id, { qrCodeId })),
      toOrder.parse(await createOrder(api.db, scene.merchant.id, { qrCodeId, note: 'less spicy' })),
    ];
    const facts = { qrCodeId, billId, table: 'Terrace 3', guests: 2, expiresAt, createdAt };
    expect(expectSuccess(await get(qrCodeId))).toEqual({ ...facts, status: 'active', invalidatedAt: null, orders });
    const { invalidatedAt } = (await invalidate({ qrCodeId })).body;
    expect(expectSuccess(await get(qrCodeId))).toEqual({ ...facts, status: 'invalidated', invalidatedAt, orders });
  });

  test('200: expired as soon as its validity ends', async () => {
    const { qrCodeId } = await newCode();
    await age(qrCodeId);
    expect(expectSuccess(await get(qrCodeId))).toMatchObject({ status: 'expired', table: null, guests: null });
  });

  test('400, 401, 403 and 404; a code of another store does not exist', async () => {
    const { qrCodeId } = await newCode();
    expect(expectError(await get('x'), 400, 'invalid_request').issues[0].path).toBe('qrCodeId');
    expectError(await get(qrCodeId, 'no key'), 401, 'invalid_api_key');
    expectError(await get(qrCodeId, scene.key, '?storeCode=SOUTH'), 403, 'store_forbidden');
    expectError(await get(qrCodeId, scene.merchant.key, '?storeCode=EAST'), 404, 'store_not_found');
    expectError(await get(qrCodeId, scene.merchant.key), 400, 'invalid_request');
    expectError(await get(newId()), 404, 'qr_code_not_found');
    expectError(await get(qrCodeId, scene.merchant.stores[1].key), 404, 'qr_code_not_found');
    expectSuccess(await get(qrCodeId, scene.merchant.key, '?storeCode=NORTH'));
  });

  coversReference();
});
