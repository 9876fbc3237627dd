/** A till changes a customer: what is sent and nothing else, the phone number by PIN. */
import { beforeAll, describe, expect, test } from 'vitest';
import { newId } from '@/server/domain/kernel/ids';
import { createCustomer, testServices } from '@/server/testing/factory';
import { callAs, createStaff } from '@/server/testing/staff';
import { operationSuite, stateOf } from '../expectations';
import { type Answer, createScene, newTransactionId, restApi, type Scene } from '../harness';
import { newEmail } from '../operations';

const api = restApi();
const { expectError, expectSuccess, coversReference } = operationSuite('updateCustomer');
let scene: Scene;
let staff: ReturnType<typeof callAs>;

beforeAll(async () => {
  // The PIN proves who asks for another number, also where redemptions need none.
  scene = await createScene(api, { pin_required: false });
  staff = callAs(await createStaff(api.owner, testServices(api.db), scene.merchant.id, 'owner'));
});

const [right, wrong] = ['4831', '4832'];
const newCustomer = (pin = right) => createCustomer(api.owner, scene.merchant.id, { pin });
const update = (customerId: string, body: object, key = scene.key): Promise<Answer> =>
  api.patch(key, `/customers/${customerId}`, body);

let serial = 0;
/** A valid Singapore mobile number that is not in use. */
const newPhone = () => `+6583${String(process.pid % 100).padStart(2, '0')}${String(++serial).padStart(4, '0')}`;

const eventsOf = (customerId: string) => api.owner`
  select type, data from events where customer_id = ${customerId} order by seq`;
const auditOf = (customerId: string) => api.owner`
  select actor_kind, action, after from audit_log where subject_id = ${customerId} order by id`;

/** The wrong tries that are counted. */
async function countsOf(customerId: string) {
  const [row] = await api.owner`select failures, lockouts from customer_pins where customer_id = ${customerId}`;
  return { ...row };
}

async function openSession(customerId: string, phone: string) {
  const [id, times] = [newId(), { verified_at: new Date(), expires_at: new Date(Date.now() + 3_600_000) }];
  const row = { merchant_id: scene.merchant.id, id, customer_id: customerId, phone, token_hash: Buffer.from(id) };
  await api.owner`insert into diner_sessions ${api.owner({ ...row, ...times })}`;
}
const sessionsOf = async (customerId: string) =>
  (await api.owner`select id from diner_sessions where customer_id = ${customerId}`).length;

describe('200', () => {
  test('changes what is sent and nothing else; the audit names the fields, the event has the customer', async () => {
    const { id, phone, email } = await newCustomer();
    const changed = { givenName: 'Mei Ling', birthday: '1992-02-29', tags: ['VIP'] };
    const customer = expectSuccess(await update(id, { ...changed, billId: 'B-1' }));
    expect(customer).toEqual({
      customerId: id,
      ...changed,
      birthMonthDay: '02-29',
      lastName: 'Tester',
      phone,
      email,
      joinedAt: expect.stringMatching(/Z$/),
      hasPin: true,
    });
    const { body } = await api.get(scene.key, `/customers/phone/${encodeURIComponent(phone)}/balances`);
    expect(body.customer).toEqual(customer);
    expect([...(await eventsOf(id))]).toEqual([{ type: 'customer.updated', data: customer }]);
    const [entry, ...others] = await auditOf(id);
    expect(others).toEqual([]);
    expect(entry).toMatchObject({ actor_kind: 'apiKey', action: 'customer.edit' });
    expect(JSON.parse(entry?.after)).toEqual({ fields: ['givenName', 'birthday', 'tags'], billId: 'B-1' });
  });

  test('the phone number by PIN, in any notation; the customer is found by the new one, and signed out', async () => {
    const [{ id, phone: old }, phone] = [await newCustomer(), newPhone()];
    await openSession(id, old);
    expectSuccess(await update(id, { lastName: 'Lim' }));
    expect(await sessionsOf(id)).toBe(1);
    const written = `${phone.slice(3, 7)} ${phone.slice(7)}`;
    expect(expectSuccess(await update(id, { phone: written, pin: right })).phone).toBe(phone);
    expect(await sessionsOf(id)).toBe(0);
    const statusBy = async (number: string) =>
      (await api.get(scene.key, `/customers/phone/${encodeURIComponent(number)}/balances`)).status;
    expect([await statusBy(phone), await statusBy(old)]).toEqual([200, 404]);
    expect((await auditOf(id)).map(({ after }) => JSON.parse(after).fields)).toEqual([['lastName'], ['phone']]);
  });

  test('tags are kept as people read them, each once; a list replaces all, and an empty one removes them', async () => {
    const { id } = await newCustomer();
    const tagsAfter = async (tags: string[]) => expectSuccess(await update(id, { tags })).tags;
    expect(await tagsAfter([' VIP', 'no  peanuts', 'vip', 'ＶＩＰ', '常客'])).toEqual([
      'VIP',
      'no peanuts',
      'ＶＩＰ',
      '常客',
    ]);
    const hostile = ['=cmd()', "'; drop table customers", '<script>', '{"a":1}', '\u202e', 'a'.repeat(40)];
    const readable = hostile.filter((tag) => !tag.includes(';'));
    expect(await tagsAfter(readable)).toEqual(readable);
    expect(await tagsAfter([])).toEqual([]);
    expect(await eventsOf(id)).toHaveLength(3);
  });

  test('null removes the birthday, the e-mail address or the phone number', async () => {
    const [one, other] = [await newCustomer(), await newCustomer()];
    expect(expectSuccess(await update(one.id, { birthday: '--05-17' }))).toMatchObject({
      birthday: null,
      birthMonthDay: '05-17',
    });
    expect(expectSuccess(await update(one.id, { birthday: null, email: null }))).toMatchObject({
      birthday: null,
      email: null,
      phone: one.phone,
    });
    expect(expectSuccess(await update(other.id, { phone: null, pin: right })).phone).toBeNull();
  });

  test('the same request again changes nothing and writes no event; neither does an empty one', async () => {
    const { id } = await newCustomer();
    const body = { phone: newPhone(), email: newEmail(), givenName: 'Mei', pin: right };
    const first = expectSuccess(await update(id, body));
    const before = await stateOf(api, scene.merchant.id);
    expect(expectSuccess(await update(id, body))).toEqual(first);
    expect(expectSuccess(await update(id, {}))).toEqual(first);
    expect(await stateOf(api, scene.merchant.id)).toEqual(before);
    expect(await eventsOf(id)).toHaveLength(1);
  });

  test('twelve at once change it once', async () => {
    const { id } = await newCustomer();
    const body = { phone: newPhone(), pin: right };
    for (const answer of await Promise.all(Array.from({ length: 12 }, () => update(id, body)))) expectSuccess(answer);
    expect(await eventsOf(id)).toHaveLength(1);
    expect(await auditOf(id)).toHaveLength(1);
  });

  test('a wrong PIN is refused and counted, also where none is needed', async () => {
    const { id } = await newCustomer();
    const before = await stateOf(api, scene.merchant.id);
    expectError(await update(id, { givenName: 'Mei', pin: wrong }), 402, 'pin_invalid');
    expect((await countsOf(id)).failures).toBe(1);
    expect({ ...(await stateOf(api, scene.merchant.id)), customer_pins: null }).toEqual({
      ...before,
      customer_pins: null,
    });
    expectSuccess(await update(id, { givenName: 'Mei', pin: right }));
  });

  test('what removes the last contact is refused at its field', async () => {
    const [byPhone, byEmail] = [await newCustomer(), await newCustomer()];
    expectSuccess(await update(byPhone.id, { email: null }));
    expectSuccess(await update(byEmail.id, { phone: null, pin: right }));
    const pathOf = (answer: Answer) => expectError(answer, 400, 'invalid_request').issues[0].path;
    expect(pathOf(await update(byPhone.id, { phone: null, pin: right }))).toBe('phone');
    expect(pathOf(await update(byEmail.id, { email: null }))).toBe('email');
  });

  test('a merged customer’s id changes the kept one, who may take the merged one’s number', async () => {
    const [kept, merged] = [await newCustomer(), await newCustomer('1357')];
    await staff.customers.merge({ keptId: kept.id, mergedId: merged.id });
    const customer = expectSuccess(await update(merged.id, { givenName: 'Kept' }));
    expect(customer).toMatchObject({ customerId: kept.id, givenName: 'Kept', phone: kept.phone });
    expect(expectSuccess(await update(kept.id, { phone: merged.phone, pin: right })).phone).toBe(merged.phone);
  });

  test('by a merchant-wide key, with and without a store', async () => {
    const { id } = await newCustomer();
    for (const given of [{}, { storeCode: 'NORTH' }]) {
      expectSuccess(await update(id, { givenName: newTransactionId(), ...given }, scene.merchant.key));
    }
  });
});

describe('400', () => {
  test('pin_required: with a phone number, also the same, and with null; nothing changes', async () => {
    const { id, phone } = await newCustomer();
    const before = await stateOf(api, scene.merchant.id);
    for (const given of [newPhone(), phone, null]) {
      const { issues } = expectError(await update(id, { phone: given, givenName: 'Eve' }), 400, 'pin_required');
      expect(issues).toEqual([{ path: 'pin', message: 'is required' }]);
    }
    expect(await stateOf(api, scene.merchant.id)).toEqual(before);
  });

  test.each([
    ['too many', Array.from({ length: 21 }, (_, at) => `Tag ${at}`), 'tags'],
    ['one that is too long', ['a'.repeat(41)], 'tags.0'],
    ['an empty one', ['VIP', ' '], 'tags.1'],
    ['one with a comma, which separates them in a file', ['VIP, regular'], 'tags.0'],
    ['one with a line break', ['VIP\nregular'], 'tags.0'],
    ['none', null, 'tags'],
  ])('invalid_request: tags, %s', async (_, tags, path) => {
    const { id } = await newCustomer();
    const { issues } = expectError(await update(id, { tags }), 400, 'invalid_request');
    expect(issues[0].path).toBe(path);
  });

  test('invalid_request: a number or birthday that can’t be, and neither phone number nor e-mail address', async () => {
    const { id } = await newCustomer();
    const issuesOf = async (body: object) => expectError(await update(id, body), 400, 'invalid_request').issues;
    expect(await issuesOf({ phone: '+6511111111', pin: right })).toEqual([
      { path: 'phone', message: 'is not a valid phone number' },
    ]);
    for (const birthday of ['2999-01-01', '1899-12-31'])
      expect((await issuesOf({ birthday }))[0].path).toBe('birthday');
    const neither = [{ path: 'phone', message: 'phone or email is required' }];
    expect(await issuesOf({ phone: null, email: null, pin: right })).toEqual(neither);
    expectSuccess(await update(id, { email: null }));
    expect(await issuesOf({ phone: null, pin: right })).toEqual(neither);
    for (const name of ['givenName', 'lastName']) expect((await issuesOf({ [name]: null }))[0].path).toBe(name);
  });
});

test('401 invalid_api_key', async () => {
  expectError(await api.patch(undefined, `/customers/${scene.customer.id}`, {}), 401, 'invalid_api_key');
});

describe('402 pin_*', () => {
  const move = (id: string, pin: string) => update(id, { phone: newPhone(), givenName: 'Eve', pin });
  const redeem = (customerId: string, pin: string) =>
    api.post(scene.key, '/transactions/points/redeem', {
      transactionId: newTransactionId(),
      customer: { customerId },
      points: 1,
      pin,
    });

  test('pin_not_set', async () => {
    const { id } = await createCustomer(api.owner, scene.merchant.id);
    expectError(await move(id, right), 402, 'pin_not_set');
  });

  test('pin_invalid counts together with redemptions, and changes nothing else', async () => {
    const { id } = await newCustomer();
    await api.owner`update merchants set pin_required = true where id = ${scene.merchant.id}`;
    await redeem(id, wrong);
    expect(expectError(await move(id, wrong), 402, 'pin_invalid').details).toEqual({ attemptsLeft: 3 });
    const { body } = await redeem(id, wrong);
    expect(body.error).toMatchObject({ code: 'pin_invalid', details: { attemptsLeft: 2 } });
    await api.owner`update merchants set pin_required = false where id = ${scene.merchant.id}`;
    expect([[...(await eventsOf(id))], [...(await auditOf(id))]]).toEqual([[], []]);
  });

  test('pin_locked after five, also for the right PIN; what needs no PIN goes on', async () => {
    const { id } = await newCustomer();
    for (let guess = 0; guess < 4; guess++) expectError(await move(id, wrong), 402, 'pin_invalid');
    expect(expectError(await move(id, wrong), 402, 'pin_locked').details).toEqual({ retryAfterSeconds: 900 });
    expectError(await move(id, right), 402, 'pin_locked');
    expectError(await update(id, { givenName: 'Mei', pin: wrong }), 402, 'pin_locked');
    expectSuccess(await update(id, { givenName: 'Mei' }));
    expect(await countsOf(id)).toEqual({ failures: 0, lockouts: 1 });
  });

  test('forty guesses at once get five tries', async () => {
    const { id } = await newCustomer();
    const answers = await Promise.all(Array.from({ length: 40 }, () => move(id, wrong)));
    const left = answers.flatMap(({ body }) => body.error.details.attemptsLeft ?? []);
    expect(left.sort()).toEqual([1, 2, 3, 4]);
    expect(await countsOf(id)).toEqual({ failures: 0, lockouts: 1 });
  });

  test('the right PIN clears the count, also where the number is another’s', async () => {
    const { id } = await newCustomer();
    for (let guess = 0; guess < 3; guess++) await move(id, wrong);
    expectError(await update(id, { phone: scene.customer.phone, pin: right }), 402, 'customer_exists');
    expect(await countsOf(id)).toEqual({ failures: 0, lockouts: 0 });
  });
});

describe('402 customer_exists', () => {
  test('names who has the phone number and the e-mail address; nothing changes', async () => {
    const [mine, one, other] = [await newCustomer(), await newCustomer(), await newCustomer()];
    const before = await stateOf(api, scene.merchant.id);
    const matchesOf = async (body: object) =>
      expectError(await update(mine.id, { givenName: 'Eve', pin: right, ...body }), 402, 'customer_exists').details;
    const phone = { field: 'phone', customerId: one.id };
    const email = { field: 'email', customerId: other.id };
    expect(await matchesOf({ phone: one.phone })).toEqual({ ...phone, matches: [phone] });
    expect(await matchesOf({ email: other.email.toUpperCase() })).toEqual({ ...email, matches: [email] });
    const both = { phone: one.phone, email: other.email };
    expect(await matchesOf(both)).toEqual({ ...phone, matches: [phone, email] });
    expect(await stateOf(api, scene.merchant.id)).toEqual(before);
  });

  test('for all but one of many customers who want the same at once', async () => {
    const customers = await Promise.all(Array.from({ length: 8 }, () => newCustomer()));
    const phone = newPhone();
    const answers = await Promise.all(customers.map(({ id }) => update(id, { phone, pin: right })));
    const [won, ...lost] = answers.sort((a, b) => a.status - b.status);
    const { customerId } = expectSuccess(won as Answer);
    const match = { field: 'phone', customerId };
    for (const answer of lost) {
      expect(expectError(answer, 402, 'customer_exists').details).toEqual({ ...match, matches: [match] });
    }
  });

  test('not for a customer of another merchant', async () => {
    const other = await createScene(api);
    const { id } = await newCustomer();
    expectSuccess(await update(id, { phone: other.customer.phone, email: other.customer.email, pin: right }));
  });
});

test('403 store_forbidden and 404 store_not_found: nothing changes', async () => {
  const { id } = scene.customer;
  const before = await stateOf(api, scene.merchant.id);
  expectError(await update(id, { givenName: 'Eve', storeCode: 'SOUTH' }), 403, 'store_forbidden');
  expectError(await update(id, { givenName: 'Eve', storeCode: 'EAST' }, scene.merchant.key), 404, 'store_not_found');
  expect(await stateOf(api, scene.merchant.id)).toEqual(before);
});

test('404 customer_not_found: of nobody, of another merchant, and erased', async () => {
  const { id: erased } = await newCustomer();
  await staff.customers.erase({ customerId: erased });
  const { customer } = await createScene(api);
  for (const id of [newId(), customer.id, erased]) {
    expectError(await update(id, { givenName: 'Eve' }), 404, 'customer_not_found');
    expectError(await update(id, { phone: newPhone(), pin: right }), 404, 'customer_not_found');
  }
});

coversReference();
