import { expect, test } from 'vitest';
import { startRefreshing } from './use-table';

test('a fetch is current if no refresh was requested since it started', async () => {
  const answers: (() => void)[] = [];
  const fetched: string[] = [];
  const refresh = startRefreshing(
    () => new Promise((resolve) => answers.push(resolve)),
    (outcome) => fetched.push(outcome),
    new AbortController().signal,
  );
  const done = refresh();
  // A part of the same burst.
  void refresh();
  void refresh();
  await expect.poll(() => answers.length).toBe(1);
  void refresh();
  void refresh();
  answers[0]?.();
  await expect.poll(() => answers.length).toBe(2);
  expect(fetched).toEqual(['late']);
  answers[1]?.();
  await done;
  expect(fetched).toEqual(['late', 'current']);
  expect(answers).toHaveLength(2);
});
