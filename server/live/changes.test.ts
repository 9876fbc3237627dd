import { afterEach, beforeEach, expect, inject, test, vi } from 'vitest';
import { openSql, withMerchant } from '@/db/driver';
import { sharedDatabase } from '@/db/testing/database';
import { announceChange, type Topic, topics } from '@/server/domain/kernel/changes';
import { newId } from '@/server/domain/kernel/ids';
import { processLog } from '@/server/observe/log';
import { followChanges } from './changes';

const database = sharedDatabase();
let merchantId: string;
const open: Screen[] = [];

beforeEach(() => {
  merchantId = newId();
});
afterEach(async () => {
  vi.useRealTimers();
  for (const screen of open.splice(0)) screen.close();
  await vi.waitFor(async () => expect(await listeners()).toEqual([]), 40_000);
});

const tell = (topic: Topic, merchant = merchantId) =>
  withMerchant(database.db, merchant, async (tx) => void (await announceChange(tx, topic)));

/** The connections that listen. */
async function listeners(): Promise<number[]> {
  const rows = await database.owner`
    select pid from pg_stat_activity where datname = current_database() and query = 'listen "merchant_changes"'`;
  return rows.map(({ pid }) => pid);
}

interface Screen {
  heard: Topic[];
  ended: Promise<void>;
  close(): void;
}

function openScreen({ merchant = merchantId, mayFollow = async () => true } = {}): Screen {
  const closing = new AbortController();
  const heard: Topic[] = [];
  const follow = async () => {
    const changes = followChanges(database.db, merchant, { signal: closing.signal, mayFollow });
    for await (const topic of changes) heard.push(topic);
  };
  const screen = { heard, ended: follow(), close: () => closing.abort() };
  open.push(screen);
  return screen;
}

/** Resolves when the screen has received exactly these topics, in this order, since the last call. */
async function hears({ heard }: Screen, ...expected: readonly Topic[]): Promise<void> {
  await vi.waitFor(() => expect(heard).toEqual(expected), 40_000);
  heard.length = 0;
}

/** Opens a screen and waits for its first event, which says that everything may have changed. */
async function openFirstScreen(options?: Parameters<typeof openScreen>[0]): Promise<Screen> {
  const screen = openScreen(options);
  await hears(screen, ...topics);
  return screen;
}

test('a committed change reaches the screens of its merchant, on one connection, and no others', async () => {
  const stranger = newId();
  const screens = [await openFirstScreen(), openScreen(), openScreen()];
  const other = openScreen({ merchant: stranger });
  const undone = withMerchant(database.db, merchantId, async (tx) => {
    await announceChange(tx, 'orders');
    throw new Error('undone');
  });
  await expect(undone).rejects.toThrow('undone');
  await tell('settings');
  for (const screen of screens) await hears(screen, 'settings');
  await tell('orders', stranger);
  await hears(other, 'orders');
  expect(screens.flatMap(({ heard }) => heard)).toEqual([]);
  expect(await listeners()).toHaveLength(1);
});

test('a slow screen gets each topic once, however many changes there were', async () => {
  const quick = await openFirstScreen();
  const slow = followChanges(database.db, merchantId, { signal: undefined, mayFollow: async () => true });
  const first = slow.next();
  await tell('menu');
  expect((await first).value).toBe('menu');
  for (let n = 0; n < 50; n++) await tell(n % 2 ? 'orders' : 'settings');
  await tell('stockOuts');
  await vi.waitFor(() => expect(quick.heard.at(-1)).toBe('stockOuts'), 40_000);
  const rest = [await slow.next(), await slow.next(), await slow.next()].map(({ value }) => value);
  expect(rest).toEqual(['settings', 'orders', 'stockOuts']);
  await slow.return(undefined);
});

test('after a lost connection, screens learn that everything may have changed, and later changes arrive', async () => {
  const screen = await openFirstScreen();
  const [before] = await listeners();
  await database.owner`select pg_terminate_backend(${before ?? 0})`;
  await hears(screen, ...topics);
  expect(await listeners()).not.toContain(before);
  await tell('orders');
  await hears(screen, 'orders');
});

test('it reconnects to a database that is down for longer', async () => {
  const screen = await openFirstScreen();
  const warned = vi.spyOn(processLog(), 'warn').mockImplementation(() => {});
  const admin = openSql(inject('adminUrl'));
  const name = new URL(database.url).pathname.slice(1);
  const [pid] = await listeners();
  await admin.unsafe(`alter database ${name} allow_connections false`);
  await database.owner`select pg_terminate_backend(${pid ?? 0})`;
  // Logged once the first attempt to listen again has failed.
  await vi.waitFor(() => expect(warned).toHaveBeenCalled(), 40_000);
  expect(screen.heard).toEqual([]);
  await admin.unsafe(`alter database ${name} allow_connections true`);
  await admin.end();
  warned.mockRestore();
  await hears(screen, ...topics);
  await tell('orders');
  await hears(screen, 'orders');
});

test('a user without access gets no changes after 15 seconds', async () => {
  let isMember = true;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const screen = await openFirstScreen({ mayFollow: async () => isMember });
  await tell('menu');
  await hears(screen, 'menu');
  isMember = false;
  await tell('settings');
  await hears(screen, 'settings');
  vi.advanceTimersByTime(15_000);
  await tell('orders');
  await screen.ended;
  expect(screen.heard).toEqual([]);
});

test('a user without access is disconnected after 15 seconds, even without changes', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const screen = await openFirstScreen({ mayFollow: async () => false });
  await vi.advanceTimersByTimeAsync(15_000);
  await screen.ended;
  expect(screen.heard).toEqual([]);
});

test('a user with access continues after 15 seconds', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const mayFollow = vi.fn(async () => true);
  const screen = await openFirstScreen({ mayFollow });
  vi.advanceTimersByTime(15_000);
  await tell('orders');
  await hears(screen, 'orders');
  expect(mayFollow).toHaveBeenCalledOnce();
});

test('an invalid message on the channel is ignored', async () => {
  const screen = await openFirstScreen();
  for (const payload of ['', 'x', '[]', JSON.stringify({ merchantId, topic: 'secrets' })]) {
    await database.owner`select pg_notify('merchant_changes', ${payload})`;
  }
  await tell('orders');
  await hears(screen, 'orders');
});

test('the process stops listening when the last screen closes', async () => {
  const [first, second] = [await openFirstScreen(), openScreen()];
  first.close();
  await first.ended;
  expect(await listeners()).toHaveLength(1);
  second.close();
  await second.ended;
  await vi.waitFor(async () => expect(await listeners()).toEqual([]), 40_000);
});
