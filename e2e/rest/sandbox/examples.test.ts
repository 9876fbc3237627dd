/** Each example of the reference runs unchanged against the demo, in any order. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { testCounterCode, testCustomers, testOrdering, testTransactionIds, testVouchers } from '@/db/seed/test-data';
import { operations } from '@/server/docs/operations';
import { samplesOf } from '@/server/docs/samples';
import { formatVoucherCode } from '@/server/domain/kernel/voucher-code';
import { newTransactionId, restApi } from '../harness';
import { type Demo, demo, examples, failuresOf, seedDemo } from './demo';

const api = restApi({ own: true });
let running: Demo;
const orchard = () => running.storeKeys.ORCHARD ?? '';
const send = (path: string, body: object) => api.post(orchard(), path, body);

beforeAll(async () => {
  running = await seedDemo(api);
});

test('twice in a row, and then backwards', async () => {
  expect(examples.length).toBeGreaterThan(20);
  for (const round of [examples, examples, [...examples].reverse()]) {
    expect(await failuresOf(api, orchard(), round)).toEqual([]);
  }
});

test('again after a restart of the demo, which fills up what was used', async () => {
  const customer = { customerId: testCustomers.redeem.id };
  const balances = async () =>
    (await api.get(orchard(), `/customers/phone/%2B${testCustomers.redeem.phone.slice(1)}/balances`)).body;
  const { balance } = (await balances()).storedValue;
  const all = { transactionId: newTransactionId(), customer, amount: balance };
  expect((await send('/transactions/stored-value/redeem', all)).status).toBe(200);
  await running.restart();
  expect((await balances()).storedValue.balance).toBe(testCustomers.redeem.principal);
  expect(await failuresOf(api, orchard(), examples)).toEqual([]);
});

test('the demo starts again after its paid bill was closed', async () => {
  const { status, text } = await send(`/bills/${testOrdering.paidBillId}/close`, {});
  expect(status, text).toBe(200);
  await running.restart();
  expect((await api.get(orchard(), `/bills/${testOrdering.paidBillId}`)).body.state).toBe('closed');
});

test('again after a reset, whatever was done to the data before', async () => {
  await send('/transactions/void', { transactionIds: [testTransactionIds.lookUp] });
  await send('/transactions/stored-value/top-up', {
    transactionId: newTransactionId(),
    customer: { customerId: testCustomers.topUp.id },
    packageId: (await packages())[0].packageId,
    counterCode: testCounterCode,
  });
  expect((await api.get(orchard(), `/top-up-requests/${testCounterCode}`)).status).toBe(402);
  expect((await send('/sandbox/reset', {})).status).toBe(200);
  expect(await failuresOf(api, orchard(), examples)).toEqual([]);
  const used = await redeemVoucher('TEST2USED7');
  expect(used.body.error.code).toBe('voucher_redeemed');
  expect((await redeemVoucher('TEST2EXPDV')).body.error.code).toBe('voucher_expired');
});

const packages = async () => (await api.get(orchard(), '/stores/ORCHARD/stored-value-packages')).body.packages;
const redeemVoucher = (voucherCode: string) =>
  send('/transactions/voucher/redeem', {
    transactionId: newTransactionId(),
    customer: { customerId: testCustomers.lookUp.id },
    voucherCode,
    bill: { amount: 5_000 },
  });

test('the curl sample of each operation runs in a fresh shell, twice', async () => {
  const failures: string[] = [];
  const ids = examples.map(({ operation }) => operation.operationId);
  for (const operation of [...operations, ...operations].filter(({ id }) => ids.includes(id))) {
    const [curl] = samplesOf(operation, { origin: api.origin, apiKey: orchard() });
    const script = `origin=${api.origin} key=${orchard()}\n${curl?.code.replace('curl ', 'curl -sS --fail-with-body ')}`;
    await promisify(execFile)('bash', ['-euc', script]).catch(({ stdout }) =>
      failures.push(`${operation.id}: ${stdout}`),
    );
  }
  expect(failures).toEqual([]);
});

test('each customer and voucher is as the table says', async () => {
  const topUp = async ({ id }: { id: string }) =>
    (
      await send('/transactions/stored-value/top-up', {
        transactionId: newTransactionId(),
        customer: { customerId: id },
        packageId: (await packages())[0].packageId,
      })
    ).body.error?.code;
  expect(await topUp(testCustomers.blocked)).toBe('customer_blocked');
  expect(await topUp(testCustomers.full)).toBe('balance_limit_exceeded');
  expect(await topUp(testCustomers.topUp)).toBeUndefined();
  for (const { voucherCode, isExpired, isUsed } of testVouchers) {
    if (isExpired || isUsed) continue;
    const { body } = await send('/transactions/voucher/redeem', {
      transactionId: newTransactionId(),
      customer: { customerId: testCustomers.lookUp.id },
      voucherCode,
      dryRun: true,
      bill: {
        amount: 5_000,
        lines: ['N001', 'D001', 'S001'].map((plu) => ({ plu, quantity: 1, unitPrice: 1_000 })),
      },
    });
    expect(body.discount?.amount, voucherCode).toBeGreaterThan(0);
  }
  await api.owner`update merchants set pin_required = true where id = ${demo.id}`;
  const redeem = async ({ id }: { id: string }, pin: string) =>
    (
      await send('/transactions/stored-value/redeem', {
        transactionId: newTransactionId(),
        customer: { customerId: id },
        amount: 10,
        pin,
      })
    ).body.error?.code;
  expect(await redeem(testCustomers.pin, '4831')).toBeUndefined();
  expect(await redeem(testCustomers.pin, '0000')).toBe('pin_invalid');
  expect(await redeem(testCustomers.voids, '4831')).toBe('pin_not_set');
  // The examples send the PIN, too.
  expect(await failuresOf(api, orchard(), examples)).toEqual([]);
});

test('the table of the guide has all of it', () => {
  const guide = readFileSync('docs/guides/test-data.md', 'utf8');
  const all = [
    ...Object.values(testCustomers).map(({ phone }) => phone),
    ...testVouchers.map(({ voucherCode }) => formatVoucherCode(voucherCode)),
    ...[testCounterCode, testOrdering.billId, testOrdering.qrCodeId, testOrdering.orderId],
    ...Object.values(testTransactionIds).flat(),
    ...demo.stores.map(({ storeCode }) => storeCode),
  ];
  expect(all.filter((one) => !guide.includes(`\`${one}\``))).toEqual([]);
});
