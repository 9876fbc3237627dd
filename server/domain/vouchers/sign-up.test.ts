/** Sign-up vouchers that wait until a new customer has signed in with a code on the phone. */
import { describe, expect, test } from 'vitest';
import { sharedDatabase } from '@/db/testing/database';
import { codesSentTo, openPhone } from '@/server/testing/diners';
import { createCustomer, createMerchant, testServices } from '@/server/testing/factory';
import { createCampaign } from '@/server/testing/factory-ordering';
import { callAs, createStaff } from '@/server/testing/staff';
import { authenticateKey } from '../access/authenticate';
import { enrolCustomer } from '../customers';

const database = sharedDatabase();
let serial = 0;
const newNumber = () => `+65${90_000_000 + ++serial}`;

async function newScene(needsPhone = true) {
  const { owner, db } = database;
  const merchant = await createMerchant(owner, { sign_up_needs_phone: needsPhone });
  await createCampaign(owner, merchant.id, { trigger: 'join' });
  const services = testServices(db);
  const till = await authenticateKey(services, merchant.key);
  const manager = await createStaff(owner, services, merchant.id, 'manager');
  const held = async (phone: string) => {
    const [row] = await owner`
      select count(v.id)::int as vouchers from customers c
      left join vouchers v on v.merchant_id = c.merchant_id and v.customer_id = c.id
      where c.merchant_id = ${merchant.id} and c.phone = ${phone}`;
    return row?.vouchers;
  };
  const enrol = (phone: string) => enrolCustomer(till, { givenName: 'Ada', lastName: 'Tan', phone });
  const enrolByStaff = (phone: string) =>
    callAs(manager).customers.enrol({
      givenName: 'Ada',
      lastName: 'Tan',
      phone,
      email: null,
      birthday: null,
      tags: [],
    });
  const signIn = async (phone: string) => {
    await owner`delete from diner_codes where merchant_id = ${merchant.id}`;
    const visitor = openPhone(services, merchant.id, `198.51.100.${++serial % 250}`);
    await visitor.api.identity.requestCode({ phone });
    const code = (await codesSentTo(owner, services, phone)).at(-1) ?? '';
    const tries = [1, 2].map(() => visitor.api.identity.verifyCode({ phone, code }));
    return { ...visitor, outcomes: await Promise.allSettled(tries) };
  };
  return { merchant, held, enrol, enrolByStaff, signIn };
}

describe('where they need a verified phone', () => {
  test('a till and staff enrol without vouchers; the first sign-in by a code gives them, once', async () => {
    const { held, enrol, enrolByStaff, signIn } = await newScene();
    const [byTill, byStaff] = [newNumber(), newNumber()];
    expect((await enrol(byTill)).vouchersIssued).toEqual([]);
    await enrolByStaff(byStaff);
    expect([await held(byTill), await held(byStaff)]).toEqual([0, 0]);
    for (const phone of [byTill, byStaff]) {
      await signIn(phone);
      expect(await held(phone)).toBe(1);
      await signIn(phone);
      expect(await held(phone)).toBe(1);
    }
  });

  test('a diner who joins on the phone has proved it, and gets them at once', async () => {
    const { held, signIn } = await newScene();
    const phone = newNumber();
    const { api } = await signIn(phone);
    await api.identity.join({ givenName: 'Ada', lastName: 'Tan', email: null, consent: true, wantsMessages: false });
    expect(await held(phone)).toBe(1);
  });

  test('a customer from before gets none by signing in', async () => {
    const { merchant, held, signIn } = await newScene();
    const { phone } = await createCustomer(database.owner, merchant.id);
    await signIn(phone);
    expect(await held(phone)).toBe(0);
  });
});

test('elsewhere, a till gives them at once', async () => {
  const { held, enrol, signIn } = await newScene(false);
  const phone = newNumber();
  expect((await enrol(phone)).vouchersIssued).toHaveLength(1);
  await signIn(phone);
  expect(await held(phone)).toBe(1);
});
