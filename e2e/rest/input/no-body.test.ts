/** A POST whose fields are all optional may come without a body, as HTTP clients send it then. */
import { expect, test } from 'vitest';
import { endpoints } from '@/server/rest/endpoints';
import { restApi } from '../harness';
import { keyOf } from '../operations';
import { callOf, createFullStage } from '../ordering-operations';

const api = restApi();

const optional = endpoints.filter(({ method, needsBody }) => method === 'POST' && !needsBody);

test('they are what ends, holds and opens a bill, what is done to a webhook endpoint, and the reset of a test', () => {
  expect(optional.map(({ operation }) => operation).sort()).toEqual([
    ...['beginSettling', 'closeBill', 'deleteWebhookEndpoint', 'refundBillPayment', 'releaseBillPayment', 'reopenBill'],
    ...['resetSandbox', 'rotateWebhookSecret', 'testWebhookEndpoint', 'voidBill'],
  ]);
});

// PHP sends the second of these by itself.
test.each([
  ['without a type', {}],
  ['with the type of a form', { 'content-type': 'application/x-www-form-urlencoded' }],
  ['with the type of JSON', { 'content-type': 'application/json' }],
])('%s, it is like {}', async (_, type) => {
  const stage = await createFullStage(api);
  for (const { operation } of optional) {
    const call = await callOf(api, operation, stage);
    const headers = { 'x-api-key': keyOf(call, stage.key), ...type };
    const { status, text } = await api.send(call.path, { method: 'POST', headers });
    expect(status, `${operation}: ${text}`).toBe(200);
  }
});
