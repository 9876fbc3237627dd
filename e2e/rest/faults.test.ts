/** What a POS sees when the service is broken or its database too busy: nothing internal, and the same id goes on. */
import { beforeAll, describe, expect, test } from 'vitest';
import { documentedErrors, expectError } from './expectations';
import { type Answer, ledgerViolations, restApi } from './harness';
import { type Call, createStage, operations, perform, type Stage } from './operations';

const api = restApi({ own: true });
let stage: Stage;

beforeAll(async () => {
  stage = await createStage(api);
});

/** One table that the operation can't do without. */
const needs = (operation: string) => {
  if (operation === 'ping') return 'api_keys';
  return operation === 'enrolCustomer' || operation.startsWith('getCustomer') ? 'customers' : 'stores';
};

const all = Object.keys(operations);
const callsOf = (names: string[]) => names.map((name): [string, Call] => [name, operations[name]?.(stage) as Call]);

async function performAll(calls: [string, Call][]): Promise<[string, Answer][]> {
  return Promise.all(
    calls.map(async ([name, call]): Promise<[string, Answer]> => [name, await perform(api, stage.key, call)]),
  );
}

async function expectAllGood(calls: [string, Call][]) {
  for (const [name, answer] of await performAll(calls)) {
    expect(answer.status, `${name}: ${answer.text}`).toBe(200);
    expect(answer.headers.get('idempotent-replayed')).toBeNull();
  }
}

describe.each(['api_keys', 'customers', 'stores'])('without %s', (table) => {
  const affected = all.filter((operation) => needs(operation) === table);

  test('500 internal_error: nothing internal is told, and the same request works once it is repaired', async () => {
    const calls = callsOf(affected);
    await api.owner.unsafe(`alter table ${table} rename to hidden`);
    const answers = await performAll(calls).finally(() => api.owner.unsafe(`alter table hidden rename to ${table}`));
    for (const [name, answer] of answers) {
      const { message, details, issues } = expectError(answer, 500, 'internal_error');
      expect({ message, details, issues }).toEqual({
        message: 'Something went wrong on our side.',
        details: {},
        issues: [],
      });
      expect(answer.text).not.toMatch(new RegExp(`${table}|relation|select|postgres|stack|at \\/`, 'i'));
      expect(documentedErrors(name).get('internal_error')).toBe(500);
    }
    await expectAllGood(calls);
  });

  test('503 service_unavailable within 5 seconds while it is locked, and the same request works thereafter', async () => {
    const calls = callsOf(affected);
    const locker = await api.owner.reserve();
    await locker.unsafe(`begin; lock table ${table} in access exclusive mode`);
    const started = performance.now();
    const answers = await performAll(calls);
    const seconds = (performance.now() - started) / 1_000;
    await locker.unsafe('rollback');
    locker.release();
    for (const [name, answer] of answers) {
      expectError(answer, 503, 'service_unavailable');
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
      expect(documentedErrors(name).get('service_unavailable')).toBe(503);
    }
    expect(seconds).toBeLessThan(5);
    await expectAllGood(calls);
  });
});

test('the ledger is right', async () => {
  expect(await ledgerViolations(api)).toEqual([]);
});
