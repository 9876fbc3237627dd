import { expect, test } from 'vitest';
import { profileOf } from '@/db/kinds/lists';
import { sharedDatabase } from '@/db/testing/database';
import { createCustomer } from '@/server/testing/factory';
import { createNoticeScene } from '@/server/testing/notices';
import { authenticateKey } from '../access/authenticate';
import { updateCustomer } from './update';

const database = sharedDatabase();
let serial = 0;
const newPhone = () => `+659${2_000_000 + ++serial}`;

/** A merchant that warns old numbers, and a customer with a PIN. */
async function newScene({ isOn = true } = {}) {
  const scene = await createNoticeScene(database, { quiet: true });
  if (isOn) await scene.turnOn('phone-changed');
  const customer = await createCustomer(database.owner, scene.merchant.id, { pin: '2468' });
  const edit = async (changes: { phone?: string | null; lastName?: string }) => {
    const { customers } = await scene.call();
    const { customer: before, revision } = await customers.get({ customerId: customer.id });
    const profile = { ...profileOf(before), ...changes };
    return customers.edit({ customerId: customer.id, revision, ...profile });
  };
  return { ...scene, customer, edit };
}

test('the old phone is told when staff change the number or take it away, also in quiet hours', async () => {
  const { edit, send, rows, texts, customer, moveTo } = await newScene();
  moveTo('2026-03-10T15:00:00Z');
  await database.owner`update customers set messages_opted_out_at = now() where id = ${customer.id}`;
  const next = newPhone();
  await edit({ phone: next });
  await edit({ phone: null });
  // At one moment of the test's clock: their order says nothing.
  expect(new Set((await rows()).map(({ kind, phone }) => `${kind} ${phone}`))).toEqual(
    new Set([`phone-changed ${customer.phone}`, `phone-changed ${next}`]),
  );
  await send();
  expect(await texts()).toEqual(
    Array(2).fill(expect.stringMatching(/^The phone number of your account with .* was changed/)),
  );
});

test('the old phone is told when a till changes the number', async () => {
  const { rows, services, merchant, customer } = await newScene();
  const till = await authenticateKey(services, merchant.stores[0].key);
  await updateCustomer(till, { customerId: customer.id, phone: newPhone(), pin: '2468' });
  expect((await rows()).map(({ kind, phone }) => [kind, phone])).toEqual([['phone-changed', customer.phone]]);
});

test('nobody is told of another field, or where the message is off', async () => {
  const { edit, rows } = await newScene();
  await edit({ lastName: 'Tan' });
  const off = await newScene({ isOn: false });
  await off.edit({ phone: newPhone() });
  expect([await rows(), await off.rows()]).toEqual([[], []]);
});
