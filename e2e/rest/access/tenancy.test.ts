/** What belongs to another merchant does not exist: its answers are those for an id that never was, byte for byte. */
import { beforeAll, describe, expect, test } from 'vitest';
import { newId } from '@/server/domain/kernel/ids';
import { createCustomer, createFixedPackage } from '@/server/testing/factory';
import { stateOf, withoutRequestId } from '../expectations';
import { type Answer, ledgerViolations, newTransactionId, restApi } from '../harness';
import { type Call, createStage, newEmail, performCall, type Stage } from '../operations';

const api = restApi();
const stages: Record<string, Stage> = {};

beforeAll(async () => {
  stages.first = await createStage(api);
  stages.second = await createStage(api, { currency: 'JPY', country: 'JP', pin_required: true });
  // Codes that only one of the two has.
  for (const [name, stage] of Object.entries(stages)) {
    for (const store of stage.merchant.stores) {
      store.storeCode = `${name}-${store.storeCode}`;
      await api.owner`update stores set store_code = ${store.storeCode} where id = ${store.id}`;
    }
  }
});

const stageOf = (name: string): Stage => {
  const stage = stages[name];
  if (!stage) throw new Error(`there is no stage ${name}`);
  return stage;
};

interface Case {
  what: string;
  code: string;
  /** Another merchant's id, and an id that never existed. */
  theirs(their: Stage): string;
  nobodys(): string;
  call(id: string, own: Stage, storeCode: string): Call;
}

const topUpWith = (rest: Record<string, unknown>, storeCode: string): Call => ({
  method: 'POST',
  path: '/transactions/stored-value/top-up',
  body: { transactionId: newTransactionId(), storeCode, ...rest },
});
const redeemWith = (rest: Record<string, unknown>, storeCode: string): Call => ({
  method: 'POST',
  path: '/transactions/stored-value/redeem',
  body: { transactionId: newTransactionId(), storeCode, amount: 1, pin: '4831', ...rest },
});

const customerIds = { theirs: ({ customer }: Stage) => customer.id, nobodys: () => newId() };
const phones = { theirs: ({ customer }: Stage) => customer.phone, nobodys: () => '+6590000000' };
const emails = { theirs: ({ customer }: Stage) => customer.email, nobodys: newEmail };
const storeCodes = { theirs: ({ merchant }: Stage) => merchant.stores[0].storeCode, nobodys: () => 'NO-SUCH-STORE' };
const byPhone = (phone: string) => `/customers/phone/${encodeURIComponent(phone)}/balances`;

const atStore: Case[] = [
  {
    what: 'customerId of a top-up',
    code: 'customer_not_found',
    ...customerIds,
    call: (customerId, { packageId }, storeCode) => topUpWith({ customer: { customerId }, packageId }, storeCode),
  },
  {
    what: 'customerId of a redemption',
    code: 'customer_not_found',
    ...customerIds,
    call: (customerId, _, storeCode) => redeemWith({ customer: { customerId } }, storeCode),
  },
  {
    what: 'phone of a redemption',
    code: 'customer_not_found',
    ...phones,
    call: (phone, _, storeCode) => redeemWith({ customer: { phone } }, storeCode),
  },
  {
    what: 'email of a top-up',
    code: 'customer_not_found',
    ...emails,
    call: (email, { packageId }, storeCode) => topUpWith({ customer: { email }, packageId }, storeCode),
  },
  {
    what: 'phone of a look-up',
    code: 'customer_not_found',
    ...phones,
    call: (phone, _, storeCode) => ({ method: 'GET', path: `${byPhone(phone)}?storeCode=${storeCode}` }),
  },
  {
    what: 'email of a look-up',
    code: 'customer_not_found',
    ...emails,
    call: (email, _, storeCode) => ({
      method: 'GET',
      path: `/customers/email/${encodeURIComponent(email)}/balances?storeCode=${storeCode}`,
    }),
  },
  {
    what: 'packageId of a top-up',
    code: 'package_not_found',
    theirs: ({ packageId }) => packageId,
    nobodys: () => newId(),
    call: (packageId, { customer }, storeCode) =>
      topUpWith({ customer: { customerId: customer.id }, packageId }, storeCode),
  },
  {
    what: 'transactionId of a look-up',
    code: 'transaction_not_found',
    theirs: ({ transactionId }) => transactionId,
    nobodys: newTransactionId,
    call: (id, _, storeCode) => ({ method: 'GET', path: `/transactions/${id}?storeCode=${storeCode}` }),
  },
];

const store = (what: string, call: (storeCode: string, own: Stage) => Call): Case => ({
  what: `storeCode of ${what}`,
  code: 'store_not_found',
  ...storeCodes,
  call: (storeCode, own) => call(storeCode, own),
});

/** By a merchant-wide key: a bound one answers 403 for every other store, whether there is one or not. */
const stores: Case[] = [
  store('a list of packages', (code) => ({ method: 'GET', path: `/stores/${code}/stored-value-packages` })),
  store('a look-up by phone', (code, own) => ({
    method: 'GET',
    path: `${byPhone(own.customer.phone)}?storeCode=${code}`,
  })),
  store('a look-up of a transaction', (code, own) => ({
    method: 'GET',
    path: `/transactions/${own.transactionId}?storeCode=${code}`,
  })),
  store('a top-up', (code, { customer, packageId }) =>
    topUpWith({ customer: { customerId: customer.id }, packageId }, code),
  ),
  store('a redemption', (code, { customer }) => redeemWith({ customer: { customerId: customer.id } }, code)),
  store('a void', (code) => ({
    method: 'POST',
    path: '/transactions/void',
    body: { transactionIds: [newTransactionId()], storeCode: code },
  })),
];

/** The answer without what the request itself said, and without the request id. */
const tellingOf = (answer: Answer, id: string) => withoutRequestId(answer).replaceAll(id, '…');
const headersOf = ({ headers }: Answer) => [...headers.keys()].sort();

describe.each([
  ['first', 'second'],
  ['second', 'first'],
])('the %s merchant cannot see of the %s', (ownName, theirName) => {
  async function expectSame(key: string, status: number, { code, theirs, nobodys, call }: Case) {
    const own = stageOf(ownName);
    const their = stageOf(theirName);
    const before = [await stateOf(api, own.merchant.id), await stateOf(api, their.merchant.id)];
    const storeCode = own.merchant.stores[0].storeCode;
    const [theirId, nobodysId] = [theirs(their), nobodys()];
    const answer = await performCall(api, key, call(theirId, own, storeCode));
    const reference = await performCall(api, key, call(nobodysId, own, storeCode));
    expect(answer.status, answer.text).toBe(status);
    expect(answer.body.error.code).toBe(code);
    expect(tellingOf(answer, theirId)).toBe(tellingOf(reference, nobodysId));
    expect(headersOf(answer)).toEqual(headersOf(reference));
    expect(reference.status).toBe(status);
    expect([await stateOf(api, own.merchant.id), await stateOf(api, their.merchant.id)]).toEqual(before);
  }

  test.each(atStore)('$what, by a key of a store', (one) => expectSame(stageOf(ownName).key, 404, one));
  test.each(atStore)('$what, by a merchant-wide key', (one) => expectSame(stageOf(ownName).merchant.key, 404, one));
  test.each(stores)('$what, by a merchant-wide key', (one) => expectSame(stageOf(ownName).merchant.key, 404, one));
  test.each(stores)('$what, by a key of a store', (one) =>
    expectSame(stageOf(ownName).key, 403, { ...one, code: 'store_forbidden' }),
  );

  test('a void of their id is one of an unknown id, and leaves theirs unchanged', async () => {
    const [own, their] = [stageOf(ownName), stageOf(theirName)];
    const before = await stateOf(api, their.merchant.id);
    const ids = [their.transactionId, newTransactionId()];
    const { status, body } = await api.post(own.key, '/transactions/void', { transactionIds: ids });
    expect(status).toBe(200);
    expect(body.results).toEqual(ids.map((transactionId) => ({ transactionId, status: 'not_found' })));
    expect(await stateOf(api, their.merchant.id)).toEqual(before);
    expect((await api.get(their.key, `/transactions/${their.transactionId}`)).body.status).toBe('completed');
  });

  test('their transactionId is free for a transaction of its own', async () => {
    const [own, their] = [stageOf(ownName), stageOf(theirName)];
    const transactionId = newTransactionId();
    const topUp = (stage: Stage) =>
      api.post(stage.key, '/transactions/stored-value/top-up', {
        transactionId,
        customer: { customerId: stage.customer.id },
        packageId: stage.packageId,
      });
    for (const stage of [their, own]) {
      const answer = await topUp(stage);
      expect(answer.status, answer.text).toBe(200);
      expect(answer.headers.get('idempotent-replayed')).toBeNull();
      expect(answer.body.customerId).toBe(stage.customer.id);
    }
  });

  test('their packages in its lists', async () => {
    const own = stageOf(ownName);
    const their = stageOf(theirName);
    const path = ({ merchant }: Stage) => `/stores/${merchant.stores[0].storeCode}/stored-value-packages`;
    const { body } = await api.get(own.key, path(own));
    expect(body.packages.map((offer: { packageId: string }) => offer.packageId)).toEqual([own.packageId]);
    await createFixedPackage(api.owner, their.merchant.id, { amount: 1, bonus: 0, archived_at: new Date() });
    expect((await api.get(own.key, path(own))).body).toEqual(body);
  });
});

test('a customer of another merchant with the same phone number is another customer', async () => {
  const [first, second] = [stageOf('first'), stageOf('second')];
  const customer = await createCustomer(api.owner, second.merchant.id, { pin: '4831' });
  await api.owner`update customers set phone = ${first.customer.phone} where id = ${customer.id}`;
  const [own, theirs] = [
    await api.get(first.key, byPhone(first.customer.phone)),
    await api.get(second.key, byPhone(first.customer.phone)),
  ];
  expect(own.body.customer).toMatchObject({ customerId: first.customer.id, hasPin: false });
  expect(theirs.body.customer).toMatchObject({ customerId: customer.id, hasPin: true });
  expect(theirs.body.storedValue.balance).toBe(0);
});

test('the ledger is right', async () => {
  expect(await ledgerViolations(api)).toEqual([]);
});
