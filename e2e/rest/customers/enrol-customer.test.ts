import { beforeAll, describe, expect, test } from 'vitest';
import { createCampaign } from '@/server/testing/factory-ordering';
import { operationSuite } from '../expectations';
import { createScene, ledgerViolations, restApi, type Scene } from '../harness';
import { newEmail } from '../operations';

const api = restApi();
const { expectError, expectSuccess, coversReference } = operationSuite('enrolCustomer');
let scene: Scene;

beforeAll(async () => {
  scene = await createScene(api);
});

const names = { givenName: 'Mei Ling', lastName: 'Tan' };
const enrol = (body: Record<string, unknown>, key = scene.key) => api.post(key, '/customers', { ...names, ...body });

let serial = 0;
/** A valid Singapore mobile number that is not in use. */
const newPhone = () => `+6582${String(process.pid % 100).padStart(2, '0')}${String(++serial).padStart(4, '0')}`;

const today = (timeZone: string) => new Intl.DateTimeFormat('en-CA', { timeZone }).format(new Date());

describe('200', () => {
  test('adds a customer with an empty balance', async () => {
    const phone = newPhone();
    const email = newEmail();
    const { vouchersIssued, ...customer } = expectSuccess(
      await enrol({ phone, email, birthday: '1992-02-29', tags: ['VIP'] }),
    );
    expect(vouchersIssued).toEqual([]);
    expect(customer).toEqual({
      customerId: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
      ...names,
      phone,
      email,
      birthday: '1992-02-29',
      birthMonthDay: '02-29',
      tags: ['VIP'],
      joinedAt: expect.stringMatching(/Z$/),
      hasPin: false,
    });
    expect(Math.abs(Date.parse(customer.joinedAt) - Date.now())).toBeLessThan(60_000);
    const looked = await api.get(scene.key, `/customers/phone/${encodeURIComponent(phone)}/balances`);
    expect(looked.body).toMatchObject({ customer, storedValue: { balance: 0 } });
  });

  test('issues the sign-up voucher, and no other', async () => {
    const { merchant, key } = await createScene(api);
    await createCampaign(api.owner, merchant.id, { name: 'Welcome', trigger: 'join' });
    await createCampaign(api.owner, merchant.id);
    const email = newEmail();
    const { vouchersIssued } = expectSuccess(await enrol({ email }, key));
    const { body } = await api.get(key, `/customers/email/${encodeURIComponent(email)}/balances`);
    expect(body.vouchers.map(({ name }: { name: string }) => name)).toEqual(['Welcome']);
    expect(vouchersIssued).toEqual(body.vouchers);
  });

  test('accepts a phone number or an e-mail address alone, and returns null for the other', async () => {
    expect(expectSuccess(await enrol({ phone: newPhone() }))).toMatchObject({ email: null, birthday: null });
    expect(expectSuccess(await enrol({ email: newEmail() }))).toMatchObject({ phone: null, birthday: null });
  });

  test('stores the number as E.164, however it was written', async () => {
    const phone = newPhone();
    const written = `${phone.slice(3, 7)} ${phone.slice(7)}`;
    expect(expectSuccess(await enrol({ phone: written })).phone).toBe(phone);
  });

  test('stores names in any script', async () => {
    const inScript = { givenName: '美玲 🌸', lastName: "O'Brien-Müller" };
    expect(expectSuccess(await enrol({ ...inScript, email: newEmail() }))).toMatchObject(inScript);
  });

  test('works with a merchant-wide key, and leaves an audit row without personal data', async () => {
    const email = newEmail();
    const { customerId } = expectSuccess(await enrol({ email }, scene.merchant.key));
    const lines = await api.owner`select * from audit_log where subject_id = ${customerId}`;
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({ merchant_id: scene.merchant.id, actor_kind: 'apiKey', action: 'customer.enrol' });
    expect(JSON.stringify(lines)).not.toContain(email);
  });

  test('keeps a birthday without its year as day and month', async () => {
    for (const birthday of ['--06-15', '--02-29']) {
      const enrolled = expectSuccess(await enrol({ email: newEmail(), birthday }));
      expect(enrolled).toMatchObject({ birthday: null, birthMonthDay: birthday.slice(2) });
      const { body } = await api.get(
        scene.merchant.key,
        `/customers/email/${encodeURIComponent(enrolled.email)}/balances`,
      );
      expect(body.customer).toMatchObject({ birthday: null, birthMonthDay: birthday.slice(2) });
    }
  });

  test('accepts today as a birthday in the merchant’s time zone, wherever that is', async () => {
    const east = await createScene(api, { time_zone: 'Pacific/Kiritimati' });
    const birthday = today('Pacific/Kiritimati');
    expect(expectSuccess(await enrol({ email: newEmail(), birthday }, east.key)).birthday).toBe(birthday);
  });
});

describe('400 invalid_request', () => {
  test('for neither phone number nor e-mail address', async () => {
    const { issues } = expectError(await enrol({}), 400, 'invalid_request');
    expect(issues).toEqual([{ path: '', message: 'phone or email is required' }]);
  });

  test('for an impossible number', async () => {
    for (const phone of ['+6511111111', '+10000000', '91234', 'phone', '91234567 ext 3']) {
      const { issues } = expectError(await enrol({ phone }), 400, 'invalid_request');
      expect(issues, phone).toEqual([{ path: 'phone', message: 'is not a valid phone number' }]);
    }
  });

  test('for a birthday in the future, in the merchant’s time zone, and an impossible one', async () => {
    const west = await createScene(api, { time_zone: 'Etc/GMT+12' });
    // It is always a later date there than in the far west.
    const tomorrow = today('Pacific/Kiritimati');
    for (const birthday of [
      tomorrow,
      '2999-01-01',
      '0000-01-01',
      '1899-12-31',
      '1990-02-30',
      '1990-1-1',
      '--02-30',
      '--6-15',
      '-06-15',
      '06-15',
      '0004-06-15',
    ]) {
      const { issues } = expectError(await enrol({ email: newEmail(), birthday }, west.key), 400, 'invalid_request');
      expect(issues[0].path, birthday).toBe('birthday');
    }
  });

  test('names all bad fields at once', async () => {
    const body = { givenName: '', lastName: 7, phone: null, emial: 'x@example.com' };
    const { issues } = expectError(await api.post(scene.key, '/customers', body), 400, 'invalid_request');
    expect(issues.map(({ path }: { path: string }) => path).sort()).toEqual([
      'emial',
      'givenName',
      'lastName',
      'phone',
    ]);
  });
});

test('401 invalid_api_key', async () => {
  expectError(await api.post(undefined, '/customers', { ...names, email: newEmail() }), 401, 'invalid_api_key');
});

test('200 for a customer with one name, whose last name is empty', async () => {
  const { customerId, lastName } = expectSuccess(
    await api.post(scene.key, '/customers', { givenName: 'Suparman', email: newEmail() }),
  );
  expect([lastName, typeof customerId]).toEqual(['', 'string']);
});

describe('402 customer_exists', () => {
  test('names the customer with the phone number or e-mail address, and the field', async () => {
    const phone = newPhone();
    const email = newEmail();
    const { customerId } = expectSuccess(await enrol({ phone, email }));
    const cases = [
      [{ phone }, ['phone']],
      [{ email: email.toUpperCase() }, ['email']],
      [{ phone, email: newEmail() }, ['phone']],
      [{ phone, email }, ['phone', 'email']],
    ] as const;
    for (const [again, fields] of cases) {
      expect(expectError(await enrol(again), 402, 'customer_exists').details).toEqual({
        customerId,
        field: fields[0],
        matches: fields.map((field) => ({ field, customerId })),
      });
    }
  });

  test('names both customers if the phone number is one’s and the e-mail address another’s', async () => {
    const [phone, email] = [newPhone(), newEmail()];
    const [one, other] = [expectSuccess(await enrol({ phone })), expectSuccess(await enrol({ email }))];
    const { details } = expectError(await enrol({ phone, email }), 402, 'customer_exists');
    expect(details).toEqual({
      customerId: one.customerId,
      field: 'phone',
      matches: [
        { field: 'phone', customerId: one.customerId },
        { field: 'email', customerId: other.customerId },
      ],
    });
  });

  test('adds nobody', async () => {
    const phone = newPhone();
    expectSuccess(await enrol({ phone }));
    const count = () => api.owner`select count(*)::int as n from customers where merchant_id = ${scene.merchant.id}`;
    const before = await count();
    expectError(await enrol({ phone }), 402, 'customer_exists');
    expect(await count()).toEqual(before);
  });

  test('is returned for all but one of many concurrent requests', async () => {
    const phone = newPhone();
    const answers = await Promise.all(Array.from({ length: 12 }, () => enrol({ phone })));
    const [won, ...others] = answers.sort((a, b) => a.status - b.status);
    if (!won) throw new Error('no answer');
    const { customerId } = expectSuccess(won);
    for (const lost of others) expect(expectError(lost, 402, 'customer_exists').details).toMatchObject({ customerId });
  });

  test('is not returned for customers of another merchant', async () => {
    const other = await createScene(api);
    const phone = newPhone();
    expectSuccess(await enrol({ phone }, other.key));
    expectSuccess(await enrol({ phone }));
  });
});

test('the ledger is right', async () => {
  expect(await ledgerViolations(api)).toEqual([]);
});

test('403 store_forbidden and 404 store_not_found: nobody is enrolled', async () => {
  const email = newEmail();
  expectError(await enrol({ email, storeCode: 'SOUTH' }), 403, 'store_forbidden');
  expectError(await enrol({ email, storeCode: 'EAST' }, scene.merchant.key), 404, 'store_not_found');
  expectSuccess(await enrol({ email, storeCode: 'NORTH' }, scene.merchant.key));
});

coversReference();
