/** Every operation by the client, typed: a bill from start to end. */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { createClient, giveUp, type LoyaltyClient, lookUp, toMinorUnits } from '@/clients/typescript/src/index';
import { waitForEvents } from '@/server/testing/events';
import { createOrder, createVoucher } from '@/server/testing/factory-ordering';
import { documented } from '../document';
import { restApi } from '../harness';
import { newEmail } from '../operations';
import { createFullStage } from '../ordering-operations';
import { createWebhooksKey } from '../webhook-operations';

const api = restApi();

/** Remembers which operations a client called. */
function record(client: LoyaltyClient, called = new Set<string>()): Set<string> {
  client.use({ onRequest: ({ request, schemaPath }) => void called.add(`${request.method} ${schemaPath}`) });
  return called;
}

async function manageEndpoints(apiKey: string, called: Set<string>) {
  const client = createClient({ origin: api.origin, apiKey });
  record(client, called);
  const { data: created } = await client.POST('/webhook-endpoints', {
    body: { url: 'https://example.com/webhooks', eventTypes: ['order.placed'] },
  });
  expect(created?.secret).toMatch(/^whsec_/);
  const params = { path: { endpointId: created?.endpointId ?? '' } };
  const { data: all } = await client.GET('/webhook-endpoints');
  expect(all?.items.map(({ url, state }) => [url, state])).toEqual([['https://example.com/webhooks', 'enabled']]);
  expect((await client.POST('/webhook-endpoints/{endpointId}/test', { params })).data?.eventId).toBeDefined();
  expect((await client.POST('/webhook-endpoints/{endpointId}/rotate-secret', { params })).data?.secret).not.toBe(
    created?.secret,
  );
  const change = { params, body: { state: 'paused' as const } };
  expect((await client.PATCH('/webhook-endpoints/{endpointId}', change)).data?.state).toBe('paused');
  expect((await client.POST('/webhook-endpoints/{endpointId}/delete', { params })).data).toEqual(params.path);
}

test('a bill from start to end, and every operation there is', async () => {
  const stage = await createFullStage(api);
  const { merchant } = stage;
  const { phone, email, id: customerId } = stage.customer;
  const client = createClient({ origin: api.origin, apiKey: stage.key });
  const called = record(client);
  const [billId, occurredAt] = [randomUUID(), new Date().toISOString()];
  const customer = { customerId };
  const transaction = () => ({ transactionId: randomUUID(), billId, customer, occurredAt });

  const { data: ping } = await client.GET('/ping');
  const currency = ping?.merchant.currency as string;
  const { data: qrCode } = await client.POST('/qr-codes', { body: { billId, table: '7', guests: 2 } });
  const qrCodeId = qrCode?.qrCodeId as string;
  const { orderId } = await createOrder(api.db, merchant.id, { qrCodeId });
  const { data: orders } = await client.GET('/orders', { params: { query: { status: 'placed' } } });
  expect(orders?.items.map((order) => order.orderId)).toContain(orderId);
  const { data: order } = await client.POST('/orders/{orderId}/status', {
    params: { path: { orderId } },
    body: { status: 'accepted' },
  });
  expect(order?.status).toBe('accepted');

  const { data: enrolled } = await client.POST('/customers', {
    body: { givenName: 'Ada', lastName: 'Tan', email: newEmail() },
  });
  expect(enrolled?.customerId).toBeDefined();
  const { data: byPhone } = await client.GET('/customers/phone/{phone}/balances', { params: { path: { phone } } });
  const { data: byEmail } = await client.GET('/customers/email/{email}/balances', { params: { path: { email } } });
  expect(byPhone).toEqual(byEmail);
  const changed = { params: { path: { customerId } }, body: { givenName: 'Grace', birthday: null } };
  expect((await client.PATCH('/customers/{customerId}', changed)).data?.givenName).toBe('Grace');
  expect((await client.POST('/customers/forget-pin', { body: { customer } })).data).toBeDefined();

  const { data: offers } = await client.GET('/stores/{storeCode}/stored-value-packages', {
    params: { path: { storeCode: merchant.stores[0].storeCode } },
  });
  const { data: request } = await client.GET('/top-up-requests/{counterCode}', {
    params: { path: { counterCode: stage.counterCode } },
  });
  const packageId = offers?.packages[0]?.packageId as string;
  expect(request?.packageId).toBe(packageId);
  const { data: topUp } = await client.POST('/transactions/stored-value/top-up', {
    body: { ...transaction(), packageId, counterCode: stage.counterCode },
  });
  expect(topUp?.credited).toBe(12_000);

  const voucherCode = await createVoucher(api.owner, merchant.id, { campaignId: stage.campaignId, customerId });
  const { data: voucher } = await client.POST('/transactions/voucher/redeem', {
    body: { ...transaction(), voucherCode, bill: { amount: 5_000 } },
  });
  const { data: points } = await client.POST('/transactions/points/redeem', {
    body: { ...transaction(), points: 100 },
  });
  const discount = (voucher?.discount.amount ?? 0) + (points?.amount ?? 0);
  const total = 5_000 - discount;
  const redemption = transaction();
  const { data: paid } = await client.POST('/transactions/stored-value/redeem', {
    body: { ...redemption, amount: toMinorUnits('10.00', currency) },
  });
  const { data: cashOut } = await client.POST('/transactions/stored-value/cash-out', {
    body: { ...transaction(), amount: 100 },
  });
  expect(cashOut?.amountPaidOut).toBe(100);
  const { data: sale } = await client.POST('/sales', {
    body: {
      ...transaction(),
      lines: [{ plu: 'N001', name: 'Laksa', quantity: 2, unitPrice: 2_500, amount: 5_000 }],
      subtotal: 5_000,
      discount,
      serviceCharge: 0,
      tax: 0,
      total,
      payments: [
        { method: 'stored-value', amount: paid?.amountRedeemed as number },
        { method: 'visa', amount: total - (paid?.amountRedeemed as number) },
      ],
      closedAt: occurredAt,
    },
  });
  expect(sale?.pointsEarned).toBeGreaterThan(0);
  const { data: bill } = await client.PUT('/bills/{billId}', {
    params: { path: { billId: `${billId}-2` } },
    body: {
      revision: 1,
      currency,
      lines: [],
      subtotal: 0,
      discount: 0,
      serviceCharge: 0,
      tax: 0,
      total: 0,
    },
  });
  expect(bill?.state).toBe('open');
  const ofBill = { params: { path: { billId: `${billId}-2` } } };
  expect((await client.GET('/bills/{billId}', ofBill)).data).toEqual(bill);
  expect((await client.POST('/bills/{billId}/settling', { ...ofBill, body: { minutes: 1 } })).data?.state).toBe('open');
  const close = () => client.POST('/bills/{billId}/close', { ...ofBill, body: {} });
  expect((await close()).data?.state).toBe('closed');
  expect((await client.POST('/bills/{billId}/reopen', { ...ofBill, body: {} })).data?.state).toBe('open');
  expect((await close()).data?.state).toBe('closed');
  expect((await client.POST('/bills/{billId}/void', { ...ofBill, body: {} })).error?.error.code).toBe('bill_closed');
  const payment = { path: { billId: `${billId}-2`, paymentId: crypto.randomUUID() } };
  const { error: unknown } = await client.POST('/bills/{billId}/payments/{paymentId}/refund', {
    params: payment,
    body: {},
  });
  expect(unknown?.error.code).toBe('bill_payment_not_found');
  const released = await client.POST('/bills/{billId}/payments/{paymentId}/release', { params: payment, body: {} });
  expect(released.error?.error.code).toBe('bill_payment_not_found');
  expect((await client.POST('/qr-codes/invalidate', { body: { billId } })).data).toBeDefined();
  const { data: closed } = await client.GET('/qr-codes/{qrCodeId}', { params: { path: { qrCodeId } } });
  expect(closed?.orders.map((one) => one.orderId)).toEqual([orderId]);

  expect(await lookUp(client, redemption.transactionId)).toMatchObject({ status: 'completed', answer: paid });
  const cancelled = [sale, cashOut, paid, points, voucher, topUp].map((one) => one?.transactionId as string);
  expect((await giveUp(client, cancelled)).map(({ status }) => status)).toEqual(Array(6).fill('voided'));

  await client.POST('/stock-outs', { body: { plus: ['N001'] } });
  expect((await client.GET('/stock-outs')).data?.items.map(({ plu }) => plu)).toEqual(['N001']);
  await client.POST('/stock-outs/restore', { body: { plus: ['N001'] } });
  const later = { billId: `${billId}-3`, lines: [{ plu: 'N001', quantity: 2 }] };
  const { data: placed } = await client.POST('/sandbox/orders', { body: later });
  expect(placed?.waitsForStaff).toBe(false);
  await waitForEvents(api.owner);
  const { data: events } = await client.GET('/events', {
    params: { query: { types: 'order.placed,qr_code.settled' } },
  });
  // The type of an event says which data it has.
  const told = events?.items.map((event) => (event.type === 'order.placed' ? event.data.orderId : event.type));
  expect(told?.slice(-3)).toEqual([orderId, 'qr_code.settled', placed?.orderId]);
  await client.POST('/sandbox/faults', { body: { next: ['lost', 'none'] } });
  const { data: messages } = await client.GET('/sandbox/messages', { params: { query: { phone } } });
  expect(messages?.items.map(({ kind }) => kind)).toContain('pin');
  await manageEndpoints(await createWebhooksKey(api, merchant.id), called);
  expect((await client.POST('/sandbox/clock', { body: { seconds: 60 } })).data).toBeDefined();
  expect((await client.POST('/sandbox/reset', { body: {} })).data).toBeDefined();
  expect([...called].sort()).toEqual(documented.map(({ method, path }) => `${method} ${path}`).sort());
});
