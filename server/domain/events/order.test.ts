/** A reader of one page after another misses no event and sees none twice, however changes are committed. */

import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { type Tx, withMerchant } from '@/db/driver';
import { ownDatabase } from '@/db/testing/database';
import { waitForEvents } from '@/server/testing/events';
import { createMerchant, recordingEvents, testServices } from '@/server/testing/factory';
import { authenticateKey } from '../access/authenticate';
import type { PosContext } from '../kernel/context';
import { sendEvents } from '../kernel/events';
import { listEvents } from './list';
import type { EventList, ListEventsInput } from './schemas';

const database = ownDatabase();

const createTill = async (): Promise<PosContext> => {
  const { key } = await createMerchant(database.owner, recordingEvents);
  return authenticateKey(testServices(database.db), key);
};
const send = (tx: Tx, name: string) =>
  sendEvents(tx, [{ type: 'order.placed', storeId: null, occurredAt: new Date(), data: { name } }]);
const namesOf = ({ items }: Pick<EventList, 'items'>) => items.map(({ data }) => String(data?.name));
const list = (till: PosContext, input: Partial<ListEventsInput> = {}) => listEvents(till, { limit: 100, ...input });

/** Opens a database transaction that has written its event and continues when told to. */
async function openWriter({ merchant }: PosContext, name: string) {
  let finish: (outcome: 'commit' | 'roll back') => void = () => {};
  let written: () => void = () => {};
  const isWritten = new Promise<void>((resolve) => {
    written = resolve;
  });
  const done = withMerchant(database.db, merchant.id, async (tx) => {
    send(tx, name);
    const outcome = new Promise<string>((resolve) => {
      finish = resolve;
    });
    // The event is written once a later statement has returned.
    await tx.db.select({ one: sql<number>`1` }).from(sql`generate_series(1, 1)`);
    written();
    if ((await outcome) === 'roll back') throw new Error('rolled back');
  }).catch(() => {});
  await isWritten;
  return async (outcome: 'commit' | 'roll back') => {
    finish(outcome);
    await done;
  };
}

test.each(['commit', 'roll back'] as const)(
  'an event waits for an earlier change that is still to %s',
  async (outcome) => {
    const till = await createTill();
    await withMerchant(database.db, till.merchant.id, async (tx) => send(tx, 'before'));
    await waitForEvents(database.owner);
    const first = await list(till);
    expect(namesOf(first)).toEqual(['before']);
    const end = await openWriter(till, 'slow');
    await withMerchant(database.db, till.merchant.id, async (tx) => send(tx, 'fast'));
    const meanwhile = await list(till, { after: first.nextAfter ?? undefined });
    expect(meanwhile).toEqual({ items: [], nextAfter: first.nextAfter, hasMore: false });
    await end(outcome);
    await waitForEvents(database.owner);
    const rest = await list(till, { after: meanwhile.nextAfter ?? undefined });
    expect(namesOf(rest)).toEqual(outcome === 'commit' ? ['slow', 'fast'] : ['fast']);
  },
);

test('a change that waited for another comes after it, though its database transaction began before', async () => {
  const till = await createTill();
  const { id } = till.merchant;
  const event = (name: string) => withMerchant(database.db, id, async (tx) => send(tx, name));
  await withMerchant(database.db, id, async (tx) => {
    send(tx, 'other');
    await tx.db.select({ one: sql<number>`1` }).from(sql`generate_series(1, 1)`);
    // It waits for a lock that another change holds.
    await event('before');
    send(tx, 'after');
  });
  await event('last');
  await waitForEvents(database.owner);
  expect(namesOf(await list(till))).toEqual(['other', 'before', 'after', 'last']);
});

test('16 writers at once, some of which roll back, and one reader: each committed event once, in the order of each writer', async () => {
  const till = await createTill();
  const committed: string[] = [];
  const write = async (writer: number) => {
    for (let n = 0; n < 25; n++) {
      const isKept = (writer + n) % 5 !== 0;
      const name = `${writer}:${n}`;
      await withMerchant(database.db, till.merchant.id, async (tx) => {
        send(tx, name);
        // Some stay open longer than others.
        for (let more = 0; more < writer % 4; more++)
          await tx.db.select({ one: sql<number>`1` }).from(sql`generate_series(1, 1)`);
        if (!isKept) throw new Error('rolled back');
        committed.push(name);
      }).catch(() => {});
    }
  };
  const seen: string[] = [];
  let after: string | undefined;
  let isOver = false;
  const read = async () => {
    for (;;) {
      const wasOver = isOver;
      const page = await list(till, { after, limit: 7 });
      seen.push(...namesOf(page));
      after = page.nextAfter ?? undefined;
      if (wasOver && !page.hasMore) return;
    }
  };
  const reading = read();
  await Promise.all(Array.from({ length: 16 }, (_, writer) => write(writer)));
  await waitForEvents(database.owner);
  isOver = true;
  await reading;
  expect(seen).toHaveLength(320);
  expect([...seen].sort()).toEqual([...committed].sort());
  for (let writer = 0; writer < 16; writer++) {
    const own = seen.filter((name) => name.startsWith(`${writer}:`)).map((name) => Number(name.split(':')[1]));
    expect(own).toEqual([...own].sort((a, b) => a - b));
  }
});

test('a list of one type is read to its end, however many others lie between', async () => {
  const till = await createTill();
  await withMerchant(database.db, till.merchant.id, async (tx) => {
    const at = { storeId: null, occurredAt: new Date(), data: {} };
    sendEvents(tx, [
      ...Array.from({ length: 4_500 }, () => ({ ...at, type: 'order.placed' as const })),
      { ...at, type: 'customer.merged' as const, data: { name: 'rare' } },
    ]);
  });
  await waitForEvents(database.owner);
  const found: string[] = [];
  let after: string | undefined;
  const pages: boolean[] = [];
  do {
    const page = await list(till, { after, types: ['customer.merged'] });
    found.push(...namesOf(page));
    after = page.nextAfter ?? undefined;
    pages.push(page.hasMore);
  } while (pages.at(-1));
  expect(found).toEqual(['rare']);
  expect(pages).toEqual([true, true, false]);
});

test('a reader that begins reads what happened before the merchant moved here, first', async () => {
  const till = await createTill();
  const { id } = till.merchant;
  await withMerchant(database.db, id, async (tx) => send(tx, 'moved'));
  // The place that the trigger `arriving` gives them.
  await database.owner`update events set xid = xid - (1::bigint << 40) where merchant_id = ${id}`;
  await withMerchant(database.db, id, async (tx) => send(tx, 'own'));
  await waitForEvents(database.owner);
  expect(namesOf(await list(till))).toEqual(['moved', 'own']);
});
