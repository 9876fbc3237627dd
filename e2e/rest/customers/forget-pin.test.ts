import { beforeAll, describe, expect, test } from 'vitest';
import { newId } from '@/server/domain/kernel/ids';
import { tryOpenSecret } from '@/server/domain/kernel/secrets';
import { createCustomer, testKeys } from '@/server/testing/factory';
import { operationSuite, stateOf } from '../expectations';
import { type Answer, createScene, newTransactionId, restApi, type Scene } from '../harness';

const api = restApi();
const { expectError, expectSuccess, coversReference } = operationSuite('forgetPin');
let scene: Scene;

beforeAll(async () => {
  scene = await createScene(api, { pin_required: true });
});

const forget = (customer: object, key = scene.key, rest: object = {}) =>
  api.post(key, '/customers/forget-pin', { customer, ...rest });
const newCustomer = () => createCustomer(api.owner, scene.merchant.id, { pin: '4831' });

/** The PIN that a sandbox shows in its inbox, newest first. */
async function inboxOf(customerId: string): Promise<string[]> {
  const rows = await api.owner`
    select id, secret from messages where customer_id = ${customerId} and state = 'inbox' order by id desc`;
  return rows.map(({ id, secret }) => tryOpenSecret(testKeys.messageKey, id, secret) ?? 'unreadable');
}

/** Tries a PIN in a redemption of points that the customer lacks; returns the result. */
async function tryPin(customerId: string, pin: string): Promise<string> {
  const body = { transactionId: newTransactionId(), customer: { customerId }, points: 1, pin };
  return (await api.post(scene.key, '/transactions/points/redeem', body)).body.error.code;
}

const otherThan = (pin: string) => (pin === '0001' ? '0002' : '0001');

describe('200', () => {
  test.each(['customerId', 'phone', 'email'] as const)('by %s; the response masks the number', async (by) => {
    const { id: customerId, ...rest } = await newCustomer();
    const answer = expectSuccess(await forget({ [by]: { customerId, ...rest }[by] }));
    expect(answer).toEqual({
      status: 'sent',
      channel: 'whatsapp',
      phone: `${rest.phone.slice(0, 3)}••••${rest.phone.slice(-4)}`,
    });
  });

  test('the new PIN works, and the old one no longer does', async () => {
    const { id } = await newCustomer();
    expect(await tryPin(id, '4831')).toBe('insufficient_points');
    expectSuccess(await forget({ customerId: id }));
    const [pin = ''] = await inboxOf(id);
    expect(pin).toMatch(/^[0-9]{4}$/);
    expect(await tryPin(id, pin)).toBe('insufficient_points');
    if (pin !== '4831') expect(await tryPin(id, '4831')).toBe('pin_invalid');
  });

  test('a customer without a PIN gets a first one', async () => {
    const { id, phone } = await createCustomer(api.owner, scene.merchant.id);
    expect(await tryPin(id, '4831')).toBe('pin_not_set');
    expectSuccess(await forget({ phone }));
    const [pin = ''] = await inboxOf(id);
    expect(await tryPin(id, pin)).toBe('insufficient_points');
    const { body } = await api.get(scene.key, `/customers/phone/${encodeURIComponent(phone)}/balances`);
    expect(body.customer.hasPin).toBe(true);
  });

  test('resets the lock and the count of wrong attempts', async () => {
    const { id } = await newCustomer();
    for (let i = 0; i < 5; i++) await tryPin(id, '0001');
    expect(await tryPin(id, '4831')).toBe('pin_locked');
    expectSuccess(await forget({ customerId: id }));
    const [pin = ''] = await inboxOf(id);
    expect(await tryPin(id, pin)).toBe('insufficient_points');
    const [row] = await api.owner`
      select failures, lockouts, locked_until from customer_pins where customer_id = ${id}`;
    expect(row).toEqual({ failures: 0, lockouts: 0, locked_until: null });
  });

  test('a fourth lock stays, so that requesting PINs does not speed up guessing; a right PIN resets all', async () => {
    const { id } = await newCustomer();
    const anHourLater = () =>
      api.owner`update messages set created_at = created_at - interval '1 hour' where customer_id = ${id}`;
    const lockedFor = async () => {
      const [row] = await api.owner`
        select round(extract(epoch from locked_until - now()) / 900)::int as quarters from customer_pins where customer_id = ${id}`;
      return row?.quarters;
    };
    const forgottenPin = async () => {
      expectSuccess(await forget({ customerId: id }));
      return (await inboxOf(id))[0] as string;
    };
    const lock = async (right: string) => {
      for (let i = 0; i < 5; i++) await tryPin(id, otherThan(right));
      return lockedFor();
    };
    let pin = '4831';
    for (const quarters of [1, 2, 4]) {
      expect(await lock(pin)).toBe(quarters);
      pin = await forgottenPin();
    }
    expect(await lock(pin)).toBe(8);
    await anHourLater();
    pin = await forgottenPin();
    expect([await tryPin(id, pin), await lockedFor()]).toEqual(['pin_locked', 8]);

    await api.owner`update customer_pins set locked_until = now() where customer_id = ${id}`;
    expect(await tryPin(id, pin)).toBe('insufficient_points');
    expect(await lock(pin)).toBe(1);
  });

  test('requesting a PIN before the fifth wrong attempt does not avoid the lock', async () => {
    const { id } = await newCustomer();
    let pin = '4831';
    const guess = () => tryPin(id, otherThan(pin));
    const forgottenPin = async () => {
      await api.owner`update messages set created_at = created_at - interval '1 hour' where customer_id = ${id}`;
      expectSuccess(await forget({ customerId: id }));
      pin = (await inboxOf(id))[0] as string;
    };
    for (let round = 0; round < 3; round++) {
      for (let i = 0; i < 4; i++) expect(await guess()).toBe('pin_invalid');
      await forgottenPin();
    }
    for (let i = 0; i < 4; i++) expect(await guess()).toBe('pin_invalid');
    await forgottenPin();
    expect([await guess(), await tryPin(id, pin)]).toEqual(['pin_locked', 'pin_locked']);
  });

  test('each PIN is random: 30 customers do not get the same one', async () => {
    const pins = await Promise.all(
      Array.from({ length: 30 }, async () => {
        const { id } = await newCustomer();
        await forget({ customerId: id });
        return (await inboxOf(id))[0];
      }),
    );
    expect(new Set(pins).size).toBeGreaterThan(20);
  });

  test('the audit log records who requested it, without PIN or number', async () => {
    const { id, phone } = await newCustomer();
    await forget({ customerId: id });
    const rows = await api.owner`select * from audit_log where subject_id = ${id}`;
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({ action: 'customer.forgetPin', actor_kind: 'apiKey' });
    expect(JSON.stringify(rows)).not.toContain(phone.slice(3));
  });

  test('the PIN is stored as an encrypted hash: no row contains it as text', async () => {
    const { id } = await newCustomer();
    await forget({ customerId: id });
    const [pin = ''] = await inboxOf(id);
    const [row] = await api.owner`
      select m.secret, p.hash from messages m join customer_pins p using (customer_id) where customer_id = ${id}`;
    expect(row?.secret.includes(Buffer.from(pin))).toBe(false);
    expect(row?.hash.includes(Buffer.from(pin))).toBe(false);
  });
});

test('400 invalid_request', async () => {
  const before = await stateOf(api, scene.merchant.id);
  expectError(await forget({}), 400, 'invalid_request');
  expectError(await forget({ phone: 'nobody' }), 400, 'invalid_request');
  const { id } = scene.customer;
  const surplus = await api.post(scene.key, '/customers/forget-pin', { customer: { customerId: id }, pin: '1234' });
  expect(expectError(surplus, 400, 'invalid_request').issues[0].path).toBe('pin');
  expect(await stateOf(api, scene.merchant.id)).toEqual(before);
});

test('401 invalid_api_key', async () => {
  expectError(await forget({ customerId: scene.customer.id }, 'no key'), 401, 'invalid_api_key');
});

describe('402', () => {
  test('no_phone leaves the PIN as it was', async () => {
    const { id } = await newCustomer();
    await api.owner`update customers set phone = null where id = ${id}`;
    expectError(await forget({ customerId: id }), 402, 'no_phone');
    expect(await tryPin(id, '4831')).toBe('insufficient_points');
  });

  test('pin_reset_too_often: three an hour; the PIN of the third stays', async () => {
    const { id } = await newCustomer();
    for (let i = 0; i < 3; i++) expectSuccess(await forget({ customerId: id }));
    const [pin = ''] = await inboxOf(id);
    const { details, message } = expectError(await forget({ customerId: id }), 402, 'pin_reset_too_often');
    expect(details.retryAfterSeconds).toBeGreaterThan(3_500);
    expect(details.retryAfterSeconds).toBeLessThanOrEqual(3_600);
    expect(message).toContain('60 minutes');
    expect(await inboxOf(id)).toHaveLength(3);
    expect(await tryPin(id, pin)).toBe('insufficient_points');
    // As soon as the first of the three is an hour old.
    await api.owner`
      update messages set created_at = created_at - interval '1 hour'
      where id = (select id from messages where customer_id = ${id} order by id limit 1)`;
    expectSuccess(await forget({ customerId: id }));
    expectError(await forget({ customerId: id }), 402, 'pin_reset_too_often');
  });

  test('of 20 concurrent requests three send a PIN', async () => {
    const { id } = await newCustomer();
    const answers = await Promise.all(Array.from({ length: 20 }, () => forget({ customerId: id })));
    const isSent = ({ status }: Answer) => status === 200;
    expect(answers.filter(isSent)).toHaveLength(3);
    for (const answer of answers.filter((one) => !isSent(one))) expectError(answer, 402, 'pin_reset_too_often');
    const [pin = ''] = await inboxOf(id);
    expect(await tryPin(id, pin)).toBe('insufficient_points');
  });

  test('another customer is not delayed', async () => {
    expectSuccess(await forget({ customerId: (await newCustomer()).id }));
  });
});

test('404 customer_not_found', async () => {
  for (const customer of [{ customerId: newId() }, { phone: '+6590000002' }, { email: 'nobody@example.com' }]) {
    expectError(await forget(customer), 404, 'customer_not_found');
  }
});

test('403 store_forbidden and 404 store_not_found: the PIN stays', async () => {
  const { id } = await newCustomer();
  expectError(await forget({ customerId: id }, scene.key, { storeCode: 'SOUTH' }), 403, 'store_forbidden');
  expectError(await forget({ customerId: id }, scene.merchant.key, { storeCode: 'EAST' }), 404, 'store_not_found');
  expect(await tryPin(id, '4831')).toBe('insufficient_points');
  expectSuccess(await forget({ customerId: id }, scene.merchant.key));
});

coversReference();
