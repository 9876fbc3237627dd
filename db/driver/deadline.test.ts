import { expect, test } from 'vitest';
import { throttles } from '../schema';
import { ownDatabase } from '../testing/database';
import { DeadlinePassed, isUnavailable } from './errors';
import { withMerchant } from './tenant';

const database = ownDatabase();
const merchantId = '01900000-0000-7000-8000-0000000000aa';

const write = (deadline: number, name: string, beforeCommit = async () => {}) =>
  withMerchant({ ...database.db, deadline }, merchantId, async ({ db }) => {
    await db.insert(throttles).values({ key: name, attempts: 1, resetsAt: new Date() });
    await beforeCommit();
  });

const isWritten = async (name: string) =>
  (await database.owner`select from throttles where key = ${name}`).length === 1;

test('work within the deadline is committed', async () => {
  await write(performance.now() + 60_000, 'in time');
  expect(await isWritten('in time')).toBe(true);
});

test('work whose deadline passes before the commit is rolled back, not committed late', async () => {
  const deadline = performance.now() + 50;
  const untilPassed = async () => {
    while (performance.now() <= deadline) await new Promise((next) => setImmediate(next));
  };
  const failure = await write(deadline, 'late', untilPassed).catch((error) => error);
  expect(failure).toBeInstanceOf(DeadlinePassed);
  expect(isUnavailable(failure)).toBe(true);
  expect(await isWritten('late')).toBe(false);
});

test('work that arrives after the deadline is not started', async () => {
  let isBegun = false;
  const late = withMerchant({ ...database.db, deadline: performance.now() - 1 }, merchantId, async () => {
    isBegun = true;
  });
  await expect(late).rejects.toBeInstanceOf(DeadlinePassed);
  expect(isBegun).toBe(false);
});
