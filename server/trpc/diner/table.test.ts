/** The diners' procedures over HTTP, as a phone calls them. */
import { afterEach, describe, expect, test, vi } from 'vitest';
import { sharedDatabase } from '@/db/testing/database';
import type { PosContext } from '@/server/domain/kernel/context';
import { newId } from '@/server/domain/kernel/ids';
import { setOrderStatus } from '@/server/domain/qr-ordering/order-status';
import { generateQrCode, invalidateQrCode } from '@/server/domain/qr-ordering/qr-codes';
import { stockOut } from '@/server/domain/stock-outs/stock-outs';
import { followTable, maxPagesPerCode } from '@/server/live/table';
import { createOrder } from '@/server/testing/factory-ordering';
import { callAs } from '@/server/testing/staff';
import { createTables, openTable } from '@/server/testing/tables';
import { serveDiner } from './serve';

const database = sharedDatabase();
afterEach(() => void vi.restoreAllMocks());

const faults: unknown[] = [];
const origin = 'http://localhost:3000';

async function newScene() {
  const tables = await createTables(database);
  const table = await openTable(tables);
  const send = (path: string, init: RequestInit) =>
    serveDiner(tables.services, new Request(`${origin}/api/diner/${path}`, init), (error) => faults.push(error));
  const get = async (token: string | null, guestId: string | null = null) => {
    const query = new URLSearchParams({ input: JSON.stringify({ language: 'en', guestId }) });
    return answerOf(await send(`table.get?${query}`, { headers: token === null ? {} : { 'x-table-token': token } }));
  };
  const order = async (body: unknown, { token = table.token, from = origin as string | null } = {}) => {
    const headers = {
      'content-type': 'application/json',
      'x-table-token': token,
      ...(from === null ? {} : { origin: from }),
    };
    return answerOf(await send('table.placeOrder', { method: 'POST', headers, body: JSON.stringify(body) }));
  };
  return { ...tables, table, send, get, order };
}

async function answerOf(response: Response) {
  const text = await response.text();
  const { result, error } = text ? JSON.parse(text) : {};
  return { status: response.status, data: result?.data, reason: error?.data?.reason, details: error?.data?.details };
}

const kopi = { plu: 'D001', quantity: 1, unitPrice: 180 };
const newOrder = () => ({ clientOrderId: newId(), lines: [kopi] });

describe('a phone', () => {
  test('asks in the body, so that no log of URLs has what only it knows; a change can’t be a GET, and no other site asks so', async () => {
    const { send, table } = await newScene();
    const headers = { 'content-type': 'application/json', 'x-table-token': table.token, origin };
    const ask = async (path: string, init: { origin?: string; method?: string }) => {
      const { method = 'POST', ...from } = init;
      const body = method === 'POST' ? JSON.stringify({ language: 'en', guestId: newId() }) : undefined;
      return answerOf(await send(path, { method, headers: { ...headers, ...from }, body }));
    };
    expect(await ask('table.get', {})).toMatchObject({ status: 200, data: { qrCodeId: table.qrCodeId } });
    expect((await ask('table.get', { origin: 'https://elsewhere.example' })).status).toBe(403);
    expect((await ask('table.placeOrder', { method: 'GET' })).status).toBe(405);
  });

  test('reads its table, orders, and reads its orders', async () => {
    const { get, order, table } = await newScene();
    expect((await get(table.token)).data).toMatchObject({ qrCodeId: table.qrCodeId, orders: [] });
    const wish = newOrder();
    const placed = await order(wish);
    expect(placed).toMatchObject({ status: 200, data: { status: 'placed', total: 180 } });
    expect((await get(table.token)).data.orders).toEqual([
      { ...placed.data, clientOrderId: wish.clientOrderId, guestNumber: null, isMine: false },
    ]);
  });

  test('sees which orders are its own and who sent the others, but not their ids', async () => {
    const { get, order, table } = await newScene();
    const [own, other] = [newId(), newId()];
    await order({ ...newOrder(), guestId: other, guestName: ' Mei ' });
    await order({ ...newOrder(), guestId: own });
    await order({ ...newOrder(), guestId: other });
    const { orders } = (await get(table.token, own)).data;
    const whose = orders.map(({ guestName, guestNumber, isMine }: Record<string, unknown>) => [
      guestName,
      guestNumber,
      isMine,
    ]);
    expect(whose).toEqual([
      ['Mei', 1, false],
      [null, 2, true],
      [null, 1, false],
    ]);
    expect(JSON.stringify(orders)).not.toContain(other);
  });

  test('is told which prices have changed, and which fields are invalid', async () => {
    const { order } = await newScene();
    expect(await order({ ...newOrder(), lines: [{ ...kopi, unitPrice: 1 }] })).toMatchObject({
      status: 409,
      reason: 'prices_changed',
      details: { lines: [{ index: 0, unitPrice: 180 }] },
    });
    const bad = [
      { lines: [kopi] },
      { ...newOrder(), lines: [] },
      { ...newOrder(), lines: [{ ...kopi, quantity: 0 }] },
      { ...newOrder(), lines: [{ ...kopi, price: 1 }] },
      { ...newOrder(), note: 'a\u0000b' },
      { ...newOrder(), guestName: 'x'.repeat(41) },
      { ...newOrder(), guestName: 'a\nb' },
      { ...newOrder(), guestId: 'me' },
      { ...newOrder(), lines: [{ ...kopi, optionIds: Array(2).fill(newId()) }] },
    ];
    for (const body of bad) expect((await order(body)).status).toBe(400);
    expect(faults).toEqual([]);
  });

  test('gets a response to HEAD, as for clients that only want headers', async () => {
    const { send, table } = await newScene();
    const headers = { origin, 'x-table-token': table.token };
    const answer = await send('table.get?input=%7B%22language%22%3Anull%7D', { method: 'HEAD', headers });
    expect([answer.ok, await answer.text()]).toEqual([true, '']);
    expect(faults).toEqual([]);
  });

  test('without a token or with another table’s finds nothing of this one', async () => {
    const { get, order, table } = await newScene();
    const other = await newScene();
    await createOrder(database.db, table.merchantId, table);
    expect(await get(null)).toMatchObject({ status: 200, data: { state: 'unknown' } });
    expect(await order(newOrder(), { token: '' })).toMatchObject({ status: 404, reason: 'qr_code_not_found' });
    expect((await other.get(other.table.token)).data).toMatchObject({ merchantId: other.merchant.id, orders: [] });
  });

  test('is thanked once the bill is settled, and can’t order any more', async () => {
    const { get, order, table, till } = await newScene();
    const body = newOrder();
    const placed = await order(body);
    await invalidateQrCode(till, { qrCodeId: table.qrCodeId });
    expect(await get(table.token)).toMatchObject({ status: 200, data: { state: 'settled' } });
    expect(await order(newOrder())).toMatchObject({ status: 409, reason: 'qr_code_closed' });
    expect(await order(body)).toEqual(placed);
  });
});

test.each(['https://evil.example', 'null', null])('an order from a page of %s is refused', async (from) => {
  const { get, order, table } = await newScene();
  expect((await order(newOrder(), { from })).status).toBe(403);
  expect((await get(table.token)).data.orders).toEqual([]);
});

test('an order by GET, a too large one and several at once are refused', async () => {
  const { get, send, order, table } = await newScene();
  const headers = { 'x-table-token': table.token };
  const input = new URLSearchParams({ input: JSON.stringify(newOrder()) });
  expect((await send(`table.placeOrder?${input}`, { headers })).status).toBe(405);
  expect((await order({ ...newOrder(), note: 'x'.repeat(200_000) })).status).toBe(413);
  const batch = { 0: newOrder(), 1: newOrder() };
  const init = { method: 'POST', headers: { ...headers, origin, 'content-type': 'application/json' } };
  const together = await send('table.placeOrder,table.placeOrder?batch=1', { ...init, body: JSON.stringify(batch) });
  expect(together.status).toBe(400);
  expect((await get(table.token)).data.orders).toEqual([]);
});

describe('an open page', () => {
  /** Follows a table, with the token where streams send it. `next` resolves to the next event. */
  async function follow({ send, table }: Awaited<ReturnType<typeof newScene>>, token = table.token) {
    const query = new URLSearchParams({ connectionParams: JSON.stringify({ tableToken: token }) });
    const leaving = new AbortController();
    const { body } = await send(`table.changes?${query}`, { signal: leaving.signal });
    const told = events(body as ReadableStream<Uint8Array>);
    const next = async () => (await told.next()).value;
    /** Reads up to this event. The first one tells a listener that everything may have changed. */
    const hears = async (topic: string) => {
      let heard = await next();
      while (heard !== topic && heard !== undefined) heard = await next();
      return heard;
    };
    return { hears, next, leave: () => leaving.abort() };
  }

  test('is told of orders, of the menu and of the bill', async () => {
    const scene = await newScene();
    const { till, merchant, table, cashier, storeId } = scene;
    const { hears, next } = await follow(scene);
    expect(await hears('orders')).toBe('orders');
    const steps: [string, () => Promise<unknown>][] = [
      ['orders', () => createOrder(database.db, merchant.id, table)],
      ['orders', async () => setOrderStatus(till, { orderId: await orderOf(table), status: 'ready' })],
      ['menu', () => stockOut(till, { plus: ['D001'] })],
      ['menu', () => callAs(cashier).stockOuts.restore({ items: [{ storeId, plu: 'D001' }] })],
    ];
    for (const [topic, change] of steps) {
      await change();
      expect(await hears(topic)).toBe(topic);
    }
    await invalidateQrCode(till, { qrCodeId: table.qrCodeId });
    expect([await hears('bill'), await next()]).toEqual(['bill', undefined]);
  });

  test('is not told of other tables', async () => {
    const scene = await newScene();
    const { till, merchant } = scene;
    const { hears, next, leave } = await follow(scene);
    const other = await openTable(scene);
    const { hears: otherHears, leave: leaveOther } = await follow({ ...scene, table: other });
    await hears('orders');
    await createOrder(database.db, merchant.id, other);
    expect(await otherHears('orders')).toBe('orders');
    await invalidateQrCode(till, { qrCodeId: other.qrCodeId });
    expect(await otherHears('bill')).toBe('bill');
    await stockOut(till, { plus: ['D001'] });
    // All earlier events have been read.
    expect(await next()).toBe('menu');
    leave();
    leaveOther();
  });

  test('is told when the code expires, without any other event', async () => {
    const scene = await newScene();
    await database.owner`
      update qr_codes set expires_at = now() + interval '1 second' where id = ${scene.table.qrCodeId}`;
    const { hears, next } = await follow(scene);
    expect([await hears('bill'), await next()]).toEqual(['bill', undefined]);
  });

  test('of a settled bill, a wrong token or none is told to look again, and nothing else', async () => {
    const scene = await newScene();
    await invalidateQrCode(scene.till, { qrCodeId: scene.table.qrCodeId });
    for (const token of [scene.table.token, 'AAAAAAAAAAAAAAAAAAAAAA', '']) {
      const { next } = await follow(scene, token);
      expect([await next(), await next()]).toEqual(['bill', undefined]);
    }
  });
});

describe('a table’s stream', () => {
  /** Opens a second page of a table while another one keeps the process listening, so that it gets only real events. */
  async function quietScene() {
    const scene = await newScene();
    const pageOf = ({ token }: { token: string }, { signal } = new AbortController()) =>
      followTable(scene.services, { token, client: '192.0.2.1' }, signal);
    const other = pageOf(await openTable(scene));
    await other.next();
    return {
      ...scene,
      page: () => pageOf(scene.table),
      open: (leaving: AbortController) => pageOf(scene.table, leaving).next(),
      close: () => other.return(undefined),
    };
  }

  test('ends for a phone that left while its code was looked up', async () => {
    const { open, close } = await quietScene();
    const leaving = new AbortController();
    const told = open(leaving);
    leaving.abort();
    expect(await told).toEqual({ done: true, value: undefined });
    await close();
  });

  test.each([
    ['its till extends', (till: PosContext, billId: string) => generateQrCode(till, { billId, expiresInMinutes: 120 })],
    [
      'is extended without an event',
      (_: PosContext, billId: string) =>
        database.owner`update qr_codes set expires_at = now() + interval '2 hours' where bill_id = ${billId}`,
    ],
  ])('continues for a code that %s', async (_, prolong) => {
    const { page, close, table, till } = await quietScene();
    const [code] = await database.owner`
      update qr_codes set expires_at = now() + interval '1 hour' where id = ${table.qrCodeId} returning bill_id`;
    const expiries = holdLongTimers();
    const following = page();
    let told: unknown;
    const listening = following.next().then(({ value }) => {
      told = value;
    });
    const change = () => stockOut(till, { plus: [newId()] });
    await expect.poll(async () => told ?? (await change())).toBe('menu');
    await listening;
    await prolong(till, code?.bill_id);
    for (const expire of expiries.splice(0)) expire();
    // It has looked the code up, and waits for the later expiry.
    await expect.poll(() => expiries.length).toBe(1);
    await change();
    expect(await following.next()).toEqual({ done: false, value: 'menu' });
    await following.return(undefined);
    await close();
  });

  test('is limited to a number of pages, until some are closed', async () => {
    const { open, close, send, table } = await quietScene();
    const leaving = new AbortController();
    const pages = Array.from({ length: maxPagesPerCode + 1 }, () => open(leaving));
    await expect(Promise.race(pages)).rejects.toMatchObject({ code: 'too_many_attempts' });
    const params = new URLSearchParams({ connectionParams: JSON.stringify({ tableToken: table.token }) });
    const refused = await send(`table.changes?${params}`, { headers: { accept: 'text/event-stream' } });
    expect(await refused.text()).toContain('"reason":"too_many_attempts"');
    expect(faults).toEqual([]);
    leaving.abort();
    const ended = await Promise.allSettled(pages);
    expect(ended.filter(({ status }) => status === 'fulfilled')).toHaveLength(maxPagesPerCode);
    expect(await open(leaving)).toMatchObject({ done: true });
    await close();
  });
});

/** Holds the timers that would wait for half an hour or longer: the test sets them off. */
function holdLongTimers(): (() => void)[] {
  const held: (() => void)[] = [];
  const wait = setTimeout;
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(((work: () => void, ms?: number) => {
    if ((ms ?? 0) < 30 * 60_000) return wait(work, ms);
    held.push(work);
    return wait(() => {}, 0);
  }) as typeof setTimeout);
  return held;
}

async function orderOf({ qrCodeId }: { qrCodeId: string }): Promise<string> {
  const [row] = await database.owner`select id from orders where qr_code_id = ${qrCodeId} limit 1`;
  return row?.id;
}

/** The topics of a stream of server-sent events. */
async function* events(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true });
    const messages = text.split('\n\n');
    text = messages.pop() ?? '';
    for (const message of messages) {
      const data = /^data: ("\w+")$/m.exec(message)?.[1];
      if (data) yield JSON.parse(data);
    }
  }
}
