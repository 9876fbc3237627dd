/** Statements that are sent without waiting for their results, and the commit that is sent along with them. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createConnection, createServer } from 'node:net';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Given, prepare } from '../query/queries';
import { throttles } from '../schema';
import { ownDatabase } from '../testing/database';
import { connectDatabase, type Database, queriesOn } from './client';
import { DeadlinePassed, isUniqueViolation } from './errors';
import { withMerchant } from './tenant';
import type { Tx } from './transaction';

const merchantA = randomUUID();
const database = ownDatabase();
let db: Database;

beforeAll(async () => {
  db = connectDatabase(database.url, { role: 'loyalty_app', max: 1 });
});
afterAll(() => db?.close());

let key = '';
beforeEach(() => {
  key = randomUUID();
});

/** Writes a row that belongs to no tenant: it shows whether the transaction was committed. */
const write = ({ db: own }: Pick<Tx, 'db'>, name = key) =>
  own.insert(throttles).values({ key: name, attempts: 1, resetsAt: new Date() });
const postpone = prepare((own, given: Given<{ key: string; until: Date | undefined }>) =>
  own
    .update(throttles)
    .set({ resetsAt: sql`${given.until}` })
    .where(eq(throttles.key, given.key)),
);
const isKept = async (): Promise<boolean> =>
  (await database.owner`select from throttles where key = ${key}`).length === 1;
const failure = async (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error) => error,
  );

test('sent statements are committed with the rest, in the order they were sent', async () => {
  const answer = await withMerchant(db, merchantA, async (tx) => {
    tx.send(write(tx), null, tx.db.run(sql`update throttles set attempts = attempts + 1 where key = ${key}`));
    return 'done';
  });
  const [row] = await database.owner`select attempts from throttles where key = ${key}`;
  expect([answer, row?.attempts]).toEqual(['done', 2]);
});

test('a sent statement that fails rolls back the transaction with its own error, not a follow-up error', async () => {
  const last = withMerchant(db, merchantA, async (tx) => tx.send(write(tx), write(tx), tx.db.run(sql`select 1 / 0`)));
  expect(isUniqueViolation(await failure(last), 'throttles_pkey')).toBe(true);
  const first = withMerchant(db, merchantA, async (tx) => {
    tx.send(write(tx), write(tx));
    await tx.db.run(sql`select 1`);
  });
  expect(isUniqueViolation(await failure(first), 'throttles_pkey')).toBe(true);
  expect(await isKept()).toBe(false);
});

test('sent statements are rolled back when the work fails after them', async () => {
  const refused = withMerchant(db, merchantA, async (tx) => {
    tx.send(write(tx));
    throw new Error('refused');
  });
  expect([(await failure(refused)).message, await isKept()]).toEqual(['refused', false]);
});

/** A new connection and one that has already prepared the statements: the driver sends them differently. */
const connections = ['a new', 'a used'] as const;
async function onConnection(which: (typeof connections)[number], work: (own: Database) => Promise<void>) {
  const own = connectDatabase(database.url, { role: 'loyalty_app', max: 1 });
  try {
    if (which === 'a used')
      await withMerchant(own, merchantA, async (tx) =>
        tx.send(write(tx, randomUUID()), postpone(tx.db, { key, until: new Date() })),
      );
    await work(own);
  } finally {
    await own.close();
  }
}

test.each(connections)(
  'a statement that the driver cannot send rolls back the transaction on %s connection',
  async (which) => {
    await onConnection(which, async (own) => {
      const invalid = new Date(Number.NaN);
      for (const value of [undefined, invalid]) {
        const work = withMerchant(own, merchantA, async (tx) =>
          tx.send(write(tx), postpone(tx.db, { key, until: value }), write(tx, `${key}-2`)),
        );
        expect([await failure(work), await isKept()]).toEqual([expect.any(Error), false]);
      }
    });
  },
);

test.each(connections)(
  'sent statements on %s connection are not committed after the caller has stopped waiting',
  async (which) => {
    await onConnection(which, async (own) => {
      const holder = await database.owner.reserve();
      await holder`begin`;
      await write({ db: queriesOn(holder) });
      const hurried = { ...own, deadline: performance.now() + 200 };
      const late = failure(withMerchant(hurried, merchantA, async (tx) => tx.send(write(tx))));
      while (performance.now() < hurried.deadline) await holder`select 1`;
      await holder`rollback`;
      holder.release();
      expect([await late, await isKept()]).toEqual([expect.any(DeadlinePassed), false]);
      expect(await own.pool.run(sql`select 1`)).toEqual({ count: 1 });
    });
  },
);

/** The database behind a proxy that counts each message sent and forwards it once `pass` has resolved. */
async function onWire(work: (own: Database, wire: { messages: number; pass: () => unknown }) => Promise<void>) {
  const { hostname, port } = new URL(database.url);
  const wire = { messages: 0, pass: (): unknown => undefined };
  const server = createServer(async (client) => {
    const upstream = createConnection({ host: hostname, port: Number(port) });
    upstream.pipe(client);
    for await (const message of client) {
      wire.messages += 1;
      await wire.pass();
      upstream.write(message);
    }
    upstream.end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = new URL(database.url);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const own = connectDatabase(url.href, { role: 'loyalty_app', max: 1 });
  try {
    await work(own, wire);
  } finally {
    await own.close();
    server.close();
  }
}

test('sent statements go out in one message with the commit', async () => {
  await onWire(async (own, wire) => {
    const send = () =>
      withMerchant(own, merchantA, async (tx) => tx.send(write(tx, randomUUID()), write(tx, randomUUID())));
    await send();
    const before = wire.messages;
    await send();
    expect(wire.messages - before).toBe(1);
  });
});

/** Prepares every statement on its connection, so that no extra round trip is needed. */
const warmUp = (own: Database) =>
  withMerchant({ ...own, deadline: performance.now() + 5_000 }, merchantA, async (tx) => {
    await tx.db.run(sql`select 1`);
    tx.send(write(tx, randomUUID()));
  });
const until = async (time: number) => {
  while (performance.now() < time) await database.owner`select 1`;
};

test.each(['that wait for a lock', 'that wait for nothing'])(
  'statements %s are not committed late even where the network also delayed them',
  async (which) => {
    await onWire(async (own, wire) => {
      await warmUp(own);
      const holder = await database.owner.reserve();
      await holder`begin`;
      if (which === 'that wait for a lock') await write({ db: queriesOn(holder) });
      const hurried = { ...own, deadline: performance.now() + 600 };
      // The start of the transaction uses up most of the time left, or all of it.
      const arrival = hurried.deadline + (which === 'that wait for a lock' ? -100 : 50);
      wire.pass = () => until(arrival);
      const late = failure(
        withMerchant(hurried, merchantA, async (tx) => {
          if (which === 'that wait for a lock') await tx.db.run(sql`select 1`);
          tx.send(write(tx));
        }),
      );
      await until(hurried.deadline + 100);
      await holder`rollback`;
      holder.release();
      expect([await late, await isKept()]).toEqual([expect.any(DeadlinePassed), false]);
    });
  },
);
