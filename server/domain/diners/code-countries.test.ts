/** Which countries' numbers get codes. */
import { expect, test } from 'vitest';
import { sharedDatabase } from '@/db/testing/database';
import { createDinerScene, reasonOf } from '@/server/testing/diners';
import type { MerchantSettings } from '@/server/testing/factory';
import { createCustomer } from '@/server/testing/factory';
import { callAs, createStaff } from '@/server/testing/staff';

const database = sharedDatabase();

async function newScene(settings: MerchantSettings = {}) {
  const scene = await createDinerScene(database, settings);
  const request = (phone: string) => reasonOf(scene.open().api.identity.requestCode({ phone }));
  const addCustomer = async (phone: string) => {
    const { id } = await createCustomer(database.owner, scene.merchant.id);
    await database.owner`update customers set phone = ${phone} where id = ${id}`;
  };
  return { ...scene, request, addCustomer };
}

test('the merchant’s own, and those of its customers, whether the number is a customer’s or not', async () => {
  const { request, addCustomer, open, codes } = await newScene();
  expect(await request('+6591234567')).toBe('done');
  await expect(open().api.identity.requestCode({ phone: '+447400123456' })).rejects.toMatchObject({
    cause: { code: 'invalid_request', issues: [{ path: 'phone', sentence: { key: 'codeCountry' } }] },
  });
  expect(await codes('+447400123456')).toEqual([]);
  // Numbers of other countries, next to it in the index.
  for (const phone of ['+436601234567', '+4560123456']) await addCustomer(phone);
  expect(await request('+447400123456')).toBe('invalid_request');
  await addCustomer('+447400123457');
  expect(await request('+447400123456')).toBe('done');
  expect(await request('+447400123457')).toBe('done');
});

test('a customer’s number of the country of another merchant’s customers is refused', async () => {
  const [one, other] = [await newScene(), await newScene()];
  await other.addCustomer('+819012345678');
  expect(await one.request('+819012345679')).toBe('invalid_request');
  expect(await other.request('+819012345679')).toBe('done');
});

test('countries that share a calling code are told apart', async () => {
  const { request, addCustomer } = await newScene({ country: 'US' });
  expect(await request('+12125550123')).toBe('done');
  expect(await request('+18765551234')).toBe('invalid_request');
  await addCustomer('+14165550123');
  expect(await request('+14165550199')).toBe('done');
  expect(await request('+18765551234')).toBe('invalid_request');
});

test('those that the owner chose, and no others', async () => {
  const { request, addCustomer, services, merchant } = await newScene();
  await addCustomer('+819012345678');
  const owner = callAs(await createStaff(database.owner, services, merchant.id));
  await owner.settings.change({ codeCountries: ['MY', 'GB', 'MY'] });
  expect((await owner.settings.get()).codeCountries).toEqual(['GB', 'MY']);
  expect(await request('+60123456789')).toBe('done');
  expect(await request('+6591234567')).toBe('invalid_request');
  expect(await request('+819012345678')).toBe('invalid_request');
  await owner.settings.change({ codeCountries: null });
  expect(await request('+819012345678')).toBe('done');
  await owner.settings.change({ codeCountries: [] });
  expect((await owner.settings.get()).codeCountries).toBeNull();
  expect(await reasonOf(owner.settings.change({ codeCountries: ['AQ'] }))).toBe('invalid_request');
});

test('what did not change leaves no entry in the audit log', async () => {
  const { services, merchant } = await newScene({ code_countries: ['GB', 'MY'] });
  const owner = callAs(await createStaff(database.owner, services, merchant.id));
  await owner.settings.change({ codeCountries: ['MY', 'GB'], codesPerHour: 50 });
  const [entry] = (await owner.auditLog.list({ action: 'settings.change' })).items;
  expect(entry).toMatchObject({ before: { codesPerHour: 200 }, after: { codesPerHour: 50 } });
  expect(entry?.after).not.toHaveProperty('codeCountries');
});
