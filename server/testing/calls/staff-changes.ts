/** The back office's changes and their refusals. */
import { addMinutes } from 'date-fns';
import { fakeConnectEnv, fakeStripeEnv } from '@/e2e/fixtures/fake-stripe';
import { newId } from '@/server/domain/kernel/ids';
import { findMerchant } from '@/server/domain/merchants';
import { allCustomers } from '@/server/domain/vouchers/campaign-schemas';
import { createStripe } from '@/server/gateways/stripe';
import { fiveOff } from '@/server/testing/campaigns';
import { createVoucher } from '@/server/testing/factory-ordering';
import { addApp, createPerson, personOf } from '../people';
import { callAs, createStaff } from '../staff';
import { heldOnBill, openTable, orderByCard, paidOnBill } from './diner';
import { type CallScene, type Calls, expectRefusal, newName, runInSequence } from './scene';
import { customerChanges } from './staff-customers';

/**
 * Runs `work` for an owner whose merchant is paid into an account of its own. `reload` reads the merchant's settings again, as each request
 * does.
 */
async function withOwnAccount(scene: CallScene, work: (reload: () => Promise<void>) => Promise<void>) {
  const { staff, services, stripe, sql } = scene;
  const before = { ...staff };
  const cardPayments = createStripe({ ...fakeStripeEnv(stripe.origin), ...fakeConnectEnv, LOG_LEVEL: 'silent' });
  Object.assign(staff, { cardPayments });
  try {
    await work(async () => {
      Object.assign(staff, { merchant: await findMerchant(services, staff.merchant.id) });
    });
  } finally {
    Object.assign(staff, before);
    await sql`
      update merchants set card_account_id = null, card_account_state = null where id = ${staff.merchant.id}`;
  }
}

const orderingChanges: Calls = {
  'orders.answerCall': async (scene) => {
    await (await openTable(scene)).table.callStaff({ kind: 'staff' });
    const { calls } = await scene.call.orders.board({});
    for (const { callId } of calls) await scene.call.orders.answerCall({ callId });
    await expectRefusal(scene.call.orders.answerCall({ callId: newId() }));
  },
  'bills.releasePayment': async (scene) => {
    const { call } = scene;
    await call.bills.releasePayment({ paymentId: await heldOnBill(scene) });
    await expectRefusal(call.bills.releasePayment({ paymentId: newId() }));
  },
  'bills.settleOverpaid': async (scene) => {
    const { call, sql, merchant } = scene;
    await paidOnBill(scene);
    const [bill] = await sql`
      update bills set state = 'closed', closed_at = now(), held_amount = 0,
        paid_at_till = json_build_array(json_build_object('amount', total, 'lines', '[]'::json))
      where merchant_id = ${merchant.id} and state = 'open' and paid_amount > 0 returning id`;
    const billUid = bill?.id as string;
    const { overpaid: amount } = await call.bills.get({ billUid });
    for (const _ of [1, 2]) await call.bills.settleOverpaid({ billUid, amount });
    await expectRefusal(call.bills.settleOverpaid({ billUid: newId(), amount: 1 }));
  },
  'bills.refundPayment': async (scene) => {
    const { call } = scene;
    const input = { paymentId: await paidOnBill(scene), reason: 'Cold dish' };
    await call.bills.refundPayment({ ...input, returned: 100 });
    await call.bills.refundPayment({ ...input, returned: null });
    await expectRefusal(call.bills.refundPayment({ ...input, paymentId: newId(), returned: null }));
  },
  'orders.setStatus': ({ call, ordering: { orderId } }) => call.orders.setStatus({ orderId, status: 'accepted' }),
  'orders.acceptTable': async (scene) => {
    const { qrCodeId, orderId } = await orderByCard(scene);
    await scene.call.orders.acceptTable({ qrCodeId, orderIds: [orderId] });
  },
  'orders.declineTable': async (scene) => {
    const { qrCodeId, orderId } = await orderByCard(scene);
    await scene.call.orders.declineTable({ qrCodeId, orderIds: [orderId] });
  },
  'orders.clearOld': async (scene) => {
    const { call, storeId, sql } = scene;
    const { qrCodeId, orderId } = await orderByCard(scene);
    await call.orders.acceptTable({ qrCodeId, orderIds: [orderId] });
    await sql`update orders set placed_at = placed_at - interval '1 hour' where id = ${orderId}`;
    await call.orders.clearOld({ storeId, minutes: 30 });
    await call.orders.clearOld({ minutes: 30 });
  },
  'orders.undo': async ({ call, ordering: { orderId } }) => {
    await call.orders.setStatus({ orderId, status: 'ready' });
    await call.orders.undo({ orderId, from: 'ready', to: 'accepted' });
  },
  'qrCodes.generate': async ({ call, storeId }) => {
    await call.qrCodes.generate({ storeId, table: '5', openHours: 2 });
    await expectRefusal(call.qrCodes.generate({ storeId: newId(), table: '5', openHours: 2 }));
  },
  'qrCodes.invalidateSeveral': async (scene) =>
    scene.call.qrCodes.invalidateSeveral({ qrCodeIds: [await newCode(scene), await newCode(scene)] }),
  'tables.add': (scene) => newTable(scene),
  'tables.change': async (scene) =>
    scene.call.tables.change({ tableId: await newTable(scene), name: newId().slice(-8), area: 'Hall', seats: 2 }),
  'tables.arrange': async (scene) =>
    scene.call.tables.arrange({ storeId: scene.storeId, tableIds: [await newTable(scene)] }),
  'tables.remove': async (scene) => scene.call.tables.remove({ tableIds: [await newTable(scene)] }),
  'tables.moveGuests': async (scene) =>
    scene.call.tables.moveGuests({ qrCodeId: await newCode(scene), tableId: await newTable(scene) }),
  'tables.replaceCard': async (scene) => scene.call.tables.replaceCard({ tableId: await newTable(scene) }),
  'stockOuts.mark': ({ call, storeId }) =>
    call.stockOuts.mark({
      items: [
        { storeId, plu: 'N001', until: 'tomorrow' },
        { storeId, plu: 'X-1', until: null },
      ],
    }),
  'stockOuts.restore': ({ call, storeId }) => call.stockOuts.restore({ items: [{ storeId, plu: 'N001' }] }),
};

const someEndpoint = { url: 'https://hooks.example.com', description: '', eventTypes: null };

/** A merchant can have ten, so it replaces another one. */
async function newEndpoint(call: CallScene['call']): Promise<{ endpointId: string }> {
  const [first, ...more] = await call.webhooks.list();
  if (first && more.length > 3) await call.webhooks.remove({ endpointId: first.endpointId });
  const { endpointId } = await call.webhooks.create(someEndpoint);
  return { endpointId };
}

export async function newDelivery(call: CallScene['call']): Promise<{ endpointId: string; eventId: string }> {
  const { endpointId } = await newEndpoint(call);
  return { endpointId, ...(await call.webhooks.sendTest({ endpointId })) };
}

async function newTable({ call, storeId }: CallScene): Promise<string> {
  return (await call.tables.add({ storeId, names: newId().slice(-8) })).tableIds[0] ?? '';
}

async function newCode({ call, storeId }: CallScene): Promise<string> {
  return (await call.qrCodes.generate({ storeId, table: newId().slice(-8), openHours: 2 })).qrCodeId;
}

const fixed = {
  kind: 'fixed' as const,
  name: 'Pay 100',
  amount: 10_000,
  bonusAmount: 2_000,
  bonusExpiresInDays: 30,
  allStores: true,
  storeIds: [],
  validFrom: null,
  validUntil: null,
};

const offerChanges: Calls = {
  'packages.create': ({ call, storeId }) => call.packages.create({ ...fixed, allStores: false, storeIds: [storeId] }),
  'packages.update': async ({ call, packageId }) => {
    const { revision } = await call.packages.get({ packageId });
    await call.packages.update({ packageId, revision, package: fixed });
  },
  'packages.setArchived': async ({ call }) => {
    const { packageId } = await call.packages.create(fixed);
    await call.packages.setArchived({ packageId, isArchived: true });
  },
  'packages.reorder': async ({ call }) => {
    const packages = await call.packages.list({});
    await call.packages.reorder({ packageIds: packages.map(({ packageId }) => packageId).reverse() });
  },
  'campaigns.create': ({ call, storeId }) =>
    call.campaigns.create({ ...fiveOff, allStores: false, storeIds: [storeId], totalLimit: 100, perCustomerLimit: 1 }),
  'campaigns.update': async ({ call, ordering: { campaignId } }) => {
    const { revision } = await call.campaigns.get({ campaignId });
    await call.campaigns.update({ campaignId, revision, campaign: { ...fiveOff, name: 'Five off, or more' } });
  },
  'campaigns.setPaused': async ({ call }) => {
    const { campaignId } = await call.campaigns.create(fiveOff);
    await call.campaigns.setPaused({ campaignId, isPaused: true });
  },
  'campaigns.setArchived': async ({ call }) => {
    const { campaignId } = await call.campaigns.create(fiveOff);
    await call.campaigns.setArchived({ campaignId, isArchived: true });
  },
  'vouchers.issue': async ({ call, newCustomer }) => {
    const customer = await newCustomer();
    const { campaignId } = await call.campaigns.create({ ...fiveOff, totalLimit: 100, perCustomerLimit: 1 });
    const audience = { kind: 'customers' as const, customerIds: [customer.id] };
    await call.vouchers.issue({ issueId: newId(), campaignId, audience });
    const segment = { ...allCustomers, joinedBefore: '2030-01-01', minSpent: 1 };
    await call.vouchers.issue({ issueId: newId(), campaignId, audience: { kind: 'segment', segment, expected: null } });
  },
  'vouchers.give': async ({ call, newCustomer }) => {
    const { campaignId } = await call.campaigns.create(fiveOff);
    await call.vouchers.give({ issueId: newId(), campaignId, customerId: (await newCustomer()).id });
  },
  'vouchers.cancel': async ({ call, sql, merchant, ordering, customer }) => {
    const { campaignId } = ordering;
    await createVoucher(sql, merchant.id, { campaignId, customerId: customer.id });
    const { items } = await call.vouchers.list({ campaignId, state: 'unused' });
    await call.vouchers.cancel({ voucherId: items[0]?.voucherId as string, reason: 'By mistake' });
    await expectRefusal(call.vouchers.cancel({ voucherId: newId(), reason: 'By mistake' }));
  },
};

const administrationChanges: Calls = {
  'stores.create': ({ call }) => call.stores.create({ storeCode: newName('S'), name: 'New' }),
  'stores.change': ({ call, storeId }) => call.stores.change({ storeId, name: newName('Store') }),
  'stores.close': async ({ call }) =>
    call.stores.close(await call.stores.create({ storeCode: newName('S'), name: 'New' })),
  'stores.reopen': async ({ call }) => {
    const store = await call.stores.create({ storeCode: newName('S'), name: 'New' });
    await call.stores.close(store);
    await call.stores.reopen(store);
  },
  'apiKeys.create': ({ call, storeId }) => call.apiKeys.create({ name: 'Till', storeId }),
  'apiKeys.rotate': async ({ call }) => {
    const { apiKeyId } = await call.apiKeys.create({ name: 'Till', storeId: null });
    await call.apiKeys.rotate({ apiKeyId, overlapHours: 1 });
  },
  'apiKeys.setLimits': async ({ call }) => {
    const { apiKeyId } = await call.apiKeys.create({ name: 'Till', storeId: null });
    await call.apiKeys.setLimits({ apiKeyId, ratePerSecond: 5, rateBurst: 10 });
  },
  'apiKeys.setAccess': async ({ call }) => {
    const { apiKeyId } = await call.apiKeys.create({ name: 'Till', storeId: null });
    await call.apiKeys.setAccess({ apiKeyId, scopes: ['loyalty'], networks: ['203.0.113.0/24', '2001:db8::/32'] });
  },
  'apiKeys.revoke': async ({ call }) => {
    const { apiKeyId } = await call.apiKeys.create({ name: 'Till', storeId: null });
    await call.apiKeys.revoke({ apiKeyId });
  },
  'webhooks.create': async ({ call }) => newEndpoint(call),
  'webhooks.change': async ({ call }) =>
    call.webhooks.change({ ...(await newEndpoint(call)), ...someEndpoint, eventTypes: ['order.placed'] }),
  'webhooks.rotateSecret': async ({ call }) => call.webhooks.rotateSecret(await newEndpoint(call)),
  'webhooks.pause': async ({ call }) => call.webhooks.pause(await newEndpoint(call)),
  'webhooks.resume': async ({ call }) => {
    const endpoint = await newEndpoint(call);
    await call.webhooks.pause(endpoint);
    await call.webhooks.resume(endpoint);
  },
  'webhooks.remove': async ({ call }) => call.webhooks.remove(await newEndpoint(call)),
  'webhooks.sendTest': async ({ call }) => newDelivery(call),
  'webhooks.resend': async ({ call }) => call.webhooks.resend(await newDelivery(call)),
  'webhooks.resendSpan': async ({ call, sql }) => {
    const { endpointId } = await newDelivery(call);
    await sql`
      update webhook_deliveries set state = 'failed', next_attempt_at = null where endpoint_id = ${endpointId}`;
    for (const onlyFailed of [false, true]) {
      await call.webhooks.resendSpan({ endpointId, from: '2026-01-01', until: '2999-01-01', onlyFailed });
    }
  },
  'staff.invite': async ({ call, sql }) => {
    await call.staff.invite({ email: `${newId()}@example.com`, role: 'manager', language: 'en' });
    const { email } = await createPerson(sql);
    await call.staff.invite({ email, role: 'manager', language: 'en' });
  },
  'staff.resendInvitation': async ({ call }) => {
    const { invitationId } = await call.staff.invite({
      email: `${newId()}@example.com`,
      role: 'manager',
      language: 'en',
    });
    await call.staff.resendInvitation({ invitationId, language: 'en' });
  },
  'staff.revokeInvitation': async ({ call }) => {
    const { invitationId } = await call.staff.invite({
      email: `${newId()}@example.com`,
      role: 'manager',
      language: 'en',
    });
    await call.staff.revokeInvitation({ invitationId });
  },
  'staff.changeRole': async (scene) =>
    scene.call.staff.changeRole({ userId: await newColleague(scene), role: 'manager' }),
  'staff.setStores': async (scene) =>
    scene.call.staff.setStores({ userId: await newColleague(scene), allStores: false, storeIds: [scene.storeId] }),
  'staff.resetSecondFactor': async (scene) => scene.call.staff.resetSecondFactor({ userId: await newColleague(scene) }),
  'staff.setSecondFactorDemand': async ({ call, services, staff: { staff } }) => {
    await addApp(services, await personOf(services, staff.userId));
    await call.staff.setSecondFactorDemand({ demandedOf: 'managers', graceDays: 30 });
    await call.staff.setSecondFactorDemand({ demandedOf: 'nobody', graceDays: 0 });
  },
  'staff.remove': async (scene) => scene.call.staff.remove({ userId: await newColleague(scene) }),
  'messages.saveTemplate': async ({ call }) => {
    const { templates } = await call.messages.templates();
    for (const template of templates) {
      if (template.language === 'en') await call.messages.saveTemplate({ ...template, isOn: true });
    }
  },
  'reports.setDailySummary': async ({ call }) => {
    await call.reports.setDailySummary({ isOn: false, language: 'en' });
    await call.reports.setDailySummary({ isOn: true, language: 'en' });
  },
  'messages.setQuietHours': ({ call }) => call.messages.setQuietHours({ quietHours: null }),
  'settings.change': ({ call }) => call.settings.change({ name: 'Kopi', earnPoints: 2 }),
  'settings.changeOrdering': ({ call }) =>
    runInSequence(
      () => call.settings.changeOrdering({ callsStaff: false }),
      () => call.settings.changeOrdering({ callsStaff: true }),
    ),
  'cardAccount.connect': (scene) =>
    withOwnAccount(scene, async (reload) => {
      await scene.call.cardAccount.connect();
      await reload();
      await scene.call.cardAccount.connect();
    }),
  'cardAccount.refresh': (scene) =>
    withOwnAccount(scene, async (reload) => {
      const { url } = await callAs(scene.staff).cardAccount.connect();
      await reload();
      scene.stripe.onboard(url.split('/').at(-1) ?? '');
      await scene.call.cardAccount.refresh();
    }),
  'settings.setPinRequired': ({ call }) =>
    runInSequence(
      () => call.settings.setPinRequired({ pinRequired: true }),
      () => call.settings.setPinRequired({ pinRequired: false }),
    ),
  'settings.advanceClock': ({ call }) => call.settings.advanceClock({ to: addMinutes(new Date(), 5).toISOString() }),
  changes: async ({ call }) => {
    const changes = (await call.changes())[Symbol.asyncIterator]();
    await changes.next();
    await changes.return?.();
  },
  'automations.runNow': ({ call }) => call.automations.runNow({ task: 'expire-value' }),
};

async function newColleague({ sql, services, merchant }: CallScene): Promise<string> {
  return (await createStaff(sql, services, merchant.id, 'cashier')).staff.userId;
}

export const staffChanges: Calls = {
  ...customerChanges,
  ...orderingChanges,
  ...offerChanges,
  ...administrationChanges,
};
