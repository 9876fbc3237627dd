/** Pages of a list, read forwards and backwards on real rows, while others are added and removed. */

import { and, eq } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { withMerchant } from '@/db/driver';
import { auditLog } from '@/db/schema';
import { sharedDatabase } from '@/db/testing/database';
import { createMerchant } from '@/server/testing/factory';
import { newId } from './ids';
import { type ListOrder, type PageRequest, seekPage, seekSql, toPage } from './page';

const database = sharedDatabase();
let merchantId: string;
const byName: ListOrder = { columns: [auditLog.action, auditLog.id], kinds: ['text', 'uuid'], descending: false };
const newestFirst: ListOrder = { columns: [auditLog.id], descending: true };

beforeAll(async () => {
  merchantId = (await createMerchant(database.owner)).id;
  const another = (await createMerchant(database.owner)).id;
  for (const [owner, count] of [[merchantId, 23] as const, [another, 5] as const]) {
    for (let n = 0; n < count; n++) {
      // Shared names: the id decides their order.
      const subject = { subject_kind: 'test', subject_id: String(n) };
      const row = {
        merchant_id: owner,
        id: newId(),
        actor_kind: 'service',
        action: `Name ${Math.floor(n / 4)}`,
        ...subject,
      };
      await database.owner`insert into audit_log ${database.owner(row)}`;
    }
  }
});

const list = (request: PageRequest, order: ListOrder) =>
  withMerchant(database.db, merchantId, async (tx) => {
    const at = seekPage(request, order);
    const { where, orderBy, limit } = seekSql(at, order);
    const { id, action, subjectId } = auditLog;
    const rows = await tx.db
      .select({ id, action, subjectId })
      .from(auditLog)
      .where(and(eq(auditLog.merchantId, merchantId), where))
      .orderBy(...orderBy)
      .limit(limit);
    return toPage(
      rows,
      at,
      (row) => (order === byName ? [row.action, row.id] : [row.id]),
      (row) => Number(row.subjectId),
    );
  });

async function walk(order: ListOrder, limit: number) {
  const forwards: number[][] = [];
  let page = await list({ limit }, order);
  expect(page.previousCursor).toBeNull();
  for (;;) {
    forwards.push(page.items);
    if (!page.nextCursor) break;
    page = await list({ after: page.nextCursor, limit }, order);
  }
  const backwards: number[][] = [page.items];
  while (page.previousCursor) {
    page = await list({ before: page.previousCursor, limit }, order);
    backwards.unshift(page.items);
  }
  return { forwards, backwards, last: page };
}

describe.each([
  ['by name', byName],
  ['newest first', newestFirst],
])('%s', (_, order) => {
  test.each([1, 4, 5, 22, 23, 100])('pages of %i show each row once, and the same ones going back', async (limit) => {
    const { forwards, backwards } = await walk(order, limit);
    expect(forwards.flat().toSorted((a, b) => a - b)).toEqual(Array.from({ length: 23 }, (_, n) => n));
    expect(backwards.flat()).toEqual(forwards.flat());
    expect(forwards.slice(0, -1).every((items) => items.length === limit)).toBe(true);
  });
});

test('the requested order is used', async () => {
  const rows = await database.owner`
    select action, id, subject_id::int as n from audit_log where merchant_id = ${merchantId}`;
  const keys = (columns: string[]) => rows.map((row) => [columns.map((column) => row[column]).join(' '), row.n]);
  const sorted = (columns: string[]) => keys(columns).toSorted(([a], [b]) => (a < b ? -1 : 1));
  expect((await list({ limit: 100 }, newestFirst)).items).toEqual(
    sorted(['id'])
      .toReversed()
      .map(([, n]) => n),
  );
  expect((await list({ limit: 100 }, byName)).items).toEqual(sorted(['action', 'id']).map(([, n]) => n));
});

test('going back, the first page has none before it and one after it', async () => {
  const first = await list({ limit: 5 }, newestFirst);
  const second = await list({ after: first.nextCursor ?? '', limit: 5 }, newestFirst);
  const again = await list({ before: second.previousCursor ?? '', limit: 5 }, newestFirst);
  expect(again.items).toEqual(first.items);
  expect(again.previousCursor).toBeNull();
  expect(again.nextCursor).toBe(first.nextCursor);
});

test.each([
  ['no base64', '%%%'],
  ['no JSON', Buffer.from('{').toString('base64url')],
  ['not a list', Buffer.from('{"a":1}').toString('base64url')],
  ['of another order', Buffer.from('["a","b"]').toString('base64url')],
  ['empty', ''],
])('a cursor that is %s is refused in either field', (_, cursor) => {
  for (const field of ['after', 'before']) {
    expect(() => seekPage({ [field]: cursor, limit: 5 }, newestFirst)).toThrow(`${field} is not a cursor of this list`);
  }
});
