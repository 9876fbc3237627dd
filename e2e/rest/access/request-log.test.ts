/** The log of a key's requests: the operation, its result, and nothing about the customer. */
import { expect, test } from 'vitest';
import { createScene, restApi } from '../harness';

const api = restApi();

test('every request with a key is in its log, by the request id of its response, without personal data', async () => {
  const { merchant, customer, key } = await createScene(api);
  const path = `/customers/phone/${encodeURIComponent(customer.phone)}/balances`;
  const answers = [
    await api.get(key, '/ping'),
    await api.get(key, path),
    await api.get(key, `${path}/of/nothing`),
    await api.post(key, '/customers/forget-pin', { customer: { phone: '+6599999999' } }),
    await api.post(key, '/transactions/void', { phone: customer.phone }),
  ];
  await api.get(`${key.slice(0, -1)}?`, '/ping');
  const rows = () => api.owner`
    select r.*, k.last_four from api_requests r join api_keys k on k.id = r.api_key_id
    where r.merchant_id = ${merchant.id} order by r.created_at, r.id`;
  await expect.poll(rows).toHaveLength(answers.length);
  const kept = await rows();
  const facts = kept.map(({ id, operation, status, error_code }) => [id, operation, status, error_code]);
  const operations = ['ping', 'getCustomerBalancesByPhone', null, 'forgetPin', 'voidTransactions'];
  const expected = answers.map(({ status, headers, body }, n) => [
    headers.get('x-request-id'),
    operations[n],
    status,
    body.error?.code ?? null,
  ]);
  expect(new Set(facts)).toEqual(new Set(expected));
  for (const row of kept) {
    expect(row.last_four).toBe(key.slice(-4));
    expect(row.duration_ms).toBeGreaterThan(0);
  }
  const text = JSON.stringify(kept);
  for (const personal of [customer.phone.slice(1), customer.id, '6599999999', key])
    expect(text).not.toContain(personal);
});
