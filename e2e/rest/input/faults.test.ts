/**
 * Responses while the service is broken or its database overloaded: nothing internal, and the same id works afterwards.
 */
import { describe, expect, test } from 'vitest';
import { runningClock } from '@/db/testing/running-clock';
import { documentedErrors, expectError } from '../expectations';
import { type Answer, ledgerViolations, restApi } from '../harness';
import { type Call, performCall } from '../operations';
import { callOf, createFullStage, everyOperation } from '../ordering-operations';
import { webhookOperations } from '../webhook-operations';

const api = restApi({ own: true });
let key: string;

/** A table that the operation needs. */
const needs = (operation: string): string => {
  if (['ping', 'setSandboxFaults'].includes(operation)) return 'api_keys';
  if (/^(enrolCustomer|forgetPin|getCustomer.*|updateCustomer)$/.test(operation)) return 'customers';
  const own = Object.entries(tableOf).find(([, operations]) => operations.includes(operation));
  return own?.[0] ?? 'stores';
};
const tableOf: Record<string, string[]> = {
  vouchers: ['redeemVoucher'],
  lots: ['redeemPoints'],
  sales: ['submitSale'],
  qr_codes: ['generateQrCode', 'getQrCode', 'invalidateQrCode'],
  orders: ['listOrders', 'setOrderStatus', 'placeSandboxOrder'],
  bills: [
    'putBill',
    'getBill',
    'closeBill',
    'beginSettling',
    'reopenBill',
    'voidBill',
    'refundBillPayment',
    'releaseBillPayment',
  ],
  stock_outs: ['stockOut', 'restoreStock', 'listStockOuts'],
  messages: ['listSandboxMessages'],
  webhook_endpoints: Object.keys(webhookOperations),
  job_runs: ['advanceSandboxClock'],
};

/** Of a stage of their own, for which nothing was done yet. */
async function callsOf(names: string[]): Promise<[string, Call][]> {
  const stage = await createFullStage(api);
  ({ key } = stage);
  return Promise.all(names.map(async (name): Promise<[string, Call]> => [name, await callOf(api, name, stage)]));
}

async function performAll(calls: [string, Call][]): Promise<[string, Answer][]> {
  return Promise.all(
    calls.map(async ([name, call]): Promise<[string, Answer]> => [name, await performCall(api, key, call)]),
  );
}

async function expectAllGood(calls: [string, Call][]) {
  for (const [name, answer] of await performAll(calls)) {
    expect(answer.status, `${name}: ${answer.text}`).toBe(200);
    expect(answer.headers.get('idempotent-replayed')).toBeNull();
  }
}

/** Those that leave others alone are taken away, and locked, together. */
const { webhook_endpoints: _, ...others } = tableOf;
const groups = [['api_keys'], ['customers'], ['stores'], ['webhook_endpoints'], Object.keys(others)];

test('every operation loses a table', () => {
  expect(everyOperation.filter((operation) => !groups.flat().includes(needs(operation)))).toEqual([]);
  expect(everyOperation.length).toBeGreaterThanOrEqual(22);
});

describe.each(groups)('without %s', (...tables) => {
  const affected = everyOperation.filter((operation) => tables.includes(needs(operation)));
  const rename = (from: string, to: string) =>
    api.owner.unsafe(tables.map((table) => `alter table ${from}${table} rename to ${to}${table}`).join(';'));

  test('500 internal_error: reveals nothing internal, and the same request works once it is repaired', async () => {
    const calls = await callsOf(affected);
    await rename('', 'hidden_');
    const answers = await performAll(calls).finally(() => rename('hidden_', ''));
    for (const [name, answer] of answers) {
      const { message, details, issues } = expectError(answer, 500, 'internal_error');
      expect({ message, details, issues }).toEqual({
        message: 'Something went wrong on our side.',
        details: {},
        issues: [],
      });
      expect(answer.text).not.toMatch(new RegExp(`${needs(name)}|relation|select|postgres|stack|at \\/`, 'i'));
      expect(documentedErrors(name).get('internal_error')).toBe(500);
    }
    await expectAllGood(calls);
  });

  test('503 service_unavailable within 5 seconds while it is locked, and the same request works afterwards', async () => {
    const calls = await callsOf(affected);
    const locker = await api.owner.reserve();
    await locker.unsafe(`begin; lock table ${tables.join(', ')} in access exclusive mode`);
    const clock = runningClock();
    const answers = await performAll(calls);
    const seconds = clock.stop() / 1_000;
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

describe.each([
  ['53100', 'a full disk'],
  ['53200', 'too little memory'],
])('SQLSTATE %s: %s', (code) => {
  test('503 service_unavailable with Retry-After, and the same request works once there is room', async () => {
    const calls = await callsOf(['topUpStoredValue', 'submitSale', 'enrolCustomer']);
    await api.owner.unsafe(`
      create function lack() returns trigger language plpgsql as $$ begin raise 'lacking' using errcode = '${code}'; end $$;
      create trigger lack before insert on transactions for each statement execute function lack();
      create trigger lack before insert on customers for each statement execute function lack();`);
    const answers = await performAll(calls);
    await api.owner.unsafe('drop function lack cascade');
    for (const [, answer] of answers) {
      expectError(answer, 503, 'service_unavailable');
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    }
    await expectAllGood(calls);
  });
});

test('the ledger is right', async () => {
  expect(await ledgerViolations(api)).toEqual([]);
});
