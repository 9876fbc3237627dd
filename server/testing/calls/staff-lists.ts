/** The lists, reports and searches of the back office, with each of their filters. */
import { formatISO, subDays } from 'date-fns';
import { newId } from '@/server/domain/kernel/ids';
import { allCustomers } from '@/server/domain/vouchers/campaign-schemas';
import { type CallScene, type Calls, expectRefusal, runInSequence } from './scene';
import { newDelivery } from './staff-changes';

const day = (ago: number) => formatISO(subDays(new Date(), ago), { representation: 'date' });
const month = { from: day(29), to: day(0) };
const days = { from: day(29), until: day(0) };

/** Reads a list's first page, the next one and the first again, with each filter. */
async function pages<Input extends PageRequest>(
  list: (input: Input) => Promise<{ nextCursor: string | null }>,
  ...filters: NoInfer<Input>[]
): Promise<void> {
  for (const filter of filters) {
    const { nextCursor } = await list({ ...filter, limit: 1 });
    if (nextCursor === null) continue;
    await list({ ...filter, after: nextCursor });
    await list({ ...filter, before: nextCursor });
  }
}
type PageRequest = { limit?: number; after?: string; before?: string };

const report = (work: (input: { from: string; to: string; storeId?: string }) => Promise<unknown>, storeId: string) =>
  runInSequence(
    () => work(month),
    () => work({ ...month, storeId }),
  );

async function closeShift(call: CallScene['call'], storeId: string) {
  const { since, until, expected } = await call.cashUps.openShift({ storeId });
  const times = { since: since.toISOString(), until: until.toISOString() };
  return call.cashUps.close({ storeId, ...times, expected, counted: expected });
}

const ledgerLists: Calls = {
  'home.figures': ({ call }) => call.home.figures(),
  'home.attention': ({ call }) => call.home.attention(),
  'reports.liability': ({ call, storeId }) => report(call.reports.liability, storeId),
  'reports.sales': ({ call, storeId }) => report(call.reports.sales, storeId),
  'reports.vouchers': ({ call }) => call.reports.vouchers(month),
  'reports.voucherEffect': ({ call }) => call.reports.voucherEffect(month),
  'reports.points': ({ call, storeId }) => report(call.reports.points, storeId),
  'reports.payments': ({ call, storeId }) => report(call.reports.payments, storeId),
  'reports.payouts': ({ call }) => call.reports.payouts(month),
  'reports.breakdown': ({ call, storeId }) =>
    runInSequence(
      () => call.reports.breakdown({ ...month, by: 'item' }),
      () => call.reports.breakdown({ ...month, by: 'payment', storeId }),
      () => call.reports.breakdown({ ...month, by: 'hour' }),
      () => call.reports.breakdown({ ...month, by: 'category' }),
      () => call.reports.breakdown({ ...month, by: 'store' }),
      () => call.reports.breakdown({ ...month, by: 'source', storeId }),
      () => call.reports.breakdown({ ...month, by: 'staff', storeId }),
    ),
  'cashUps.day': ({ call, storeId }) =>
    runInSequence(
      () => call.cashUps.day({ day: day(0) }),
      () => call.cashUps.day({ day: day(0), storeId }),
    ),
  'cashUps.openShift': ({ call, storeId }) => call.cashUps.openShift({ storeId }),
  'cashUps.close': ({ call, storeId }) => closeShift(call, storeId),
  'cashUps.correct': async ({ call, storeId }) => {
    const { cashUpId: replacesId } = await closeShift(call, storeId);
    const counted = { cash: 1, card: 0, other: 0 };
    const correction = { replacesId, counted, reason: 'Miscounted' };
    await call.cashUps.correct(correction);
    await call.cashUps.correct(correction);
  },
  'reports.part': ({ call, storeId }) => call.reports.part({ ...month, storeId, by: 'category', key: '' }),
  'reports.busyHours': ({ call, storeId }) => report(call.reports.busyHours, storeId),
  'reports.voids': ({ call, storeId }) => pages(call.reports.voids, month, { ...month, storeId }),
  'reports.voidsByActor': ({ call, storeId }) => report(call.reports.voidsByActor, storeId),
  'reports.credit': ({ call }) => call.reports.credit(),
  'reports.dailySummary': ({ call }) => call.reports.dailySummary(),
  'reports.balances': ({ call }) => pages(call.reports.balances, { day: day(0) }, { day: day(29) }),
  'customers.list': ({ call, customer }) =>
    runInSequence(
      () => pages(call.customers.list, {}, days, { holdsValue: true }, { isBlocked: true }),
      () => pages(call.customers.list, { sort: 'name' }, { sort: 'name', descending: false }, { descending: false }),
      () => pages(call.customers.list, { sort: 'name', holdsValue: true }, { sort: 'name', isBlocked: true, ...days }),
      () =>
        pages(
          call.customers.list,
          { tag: 'VIP' },
          { tag: 'vip', search: 'ada', sort: 'name', holdsValue: true, ...days },
        ),
      () => pages(call.customers.list, { search: 'a' }, { search: 'ada te' }, { search: 'nobody' }),
      () => pages(call.customers.list, { search: customer.phone }, { search: customer.email }),
      () => pages(call.customers.list, { search: 'ada', holdsValue: true, isBlocked: true, sort: 'name', ...days }),
    ),
  'customers.find': ({ call, customer }) =>
    runInSequence(
      () => call.customers.find({ phoneOrEmail: customer.phone }),
      () => call.customers.find({ phoneOrEmail: customer.email }),
    ),
  'customers.tags': ({ call }) => call.customers.tags(),
  'customers.get': ({ call, customer: { id: customerId } }) => call.customers.get({ customerId }),
  'customers.mergePreview': async ({ call, customer, newCustomer }) =>
    call.customers.mergePreview({ keptId: customer.id, mergedId: (await newCustomer()).id }),
  'customers.notes': ({ call, customer: { id: customerId } }) => call.customers.notes({ customerId }),
  'customers.topUpOffers': ({ call, storeId, customer: { id: customerId } }) =>
    call.customers.topUpOffers({ storeId, customerId }),
  'customers.cashOutPreview': ({ call, customer: { id: customerId } }) => call.customers.cashOutPreview({ customerId }),
  'customers.lots': ({ call, customer: { id: customerId } }) => pages(call.customers.lots, { customerId }),
  'customers.ledger': ({ call, customer: { id: customerId } }) => pages(call.customers.ledger, { customerId }),
  'customers.sales': ({ call, customer: { id: customerId } }) => pages(call.customers.sales, { customerId }),
  'customers.vouchers': ({ call, customer: { id: customerId } }) =>
    pages(call.customers.vouchers, { customerId, isPast: false }, { customerId, isPast: true }),
  'transactions.list': ({ call, storeId, customer: { id: customerId }, stage }) => {
    const search = [{ search: stage.transactionId }, { search: 'B-open' }, { search: newId() }, { search: 't' }];
    const { list } = call.transactions;
    return runInSequence(
      () => pages(list, {}, days, { storeId }, { type: 'topUp' }, { status: 'voided' }, { customerId }, ...search),
      () => pages(list, { storeId, type: 'sale' }, { storeId, status: 'refused' }, { type: 'sale', status: 'refused' }),
      () => pages(list, { customerId, type: 'topUp' }, { customerId, storeId, status: 'completed', ...days }),
      () => pages(list, { search: 't', storeId, type: 'topUp', status: 'completed', customerId, ...days }),
    );
  },
  'transactions.get': async ({ call, stage, uidOf }) =>
    call.transactions.get({ uid: await uidOf(stage.transactionId) }),
};

const orderingLists: Calls = {
  'bills.list': ({ call, storeId }) =>
    runInSequence(
      ...(['open', 'closed', 'void', 'reopened'] as const).map(
        (state) => () => pages(call.bills.list, { storeId, state }),
      ),
    ),
  'bills.get': async ({ call, storeId, sql }) => {
    const [{ id = '' } = {}] = await sql`select id from bills where store_id = ${storeId} limit 1`;
    await (id ? call.bills.get({ billUid: id }) : expectRefusal(call.bills.get({ billUid: storeId })));
  },
  'orders.board': ({ call, storeId }) =>
    runInSequence(
      () => call.orders.board({ storeId }),
      () => call.orders.board({}),
    ),
  'orders.done': ({ call, storeId }) => pages(call.orders.done, { storeId }, {}),
  'qrCodes.cards': ({ call, storeId }) => call.qrCodes.cards({ storeId }),
  'qrCodes.get': ({ call, ordering: { qrCodeId } }) => call.qrCodes.get({ qrCodeId }),
  'qrCodes.list': ({ call, storeId }) =>
    runInSequence(
      ...(['active', 'invalidated', 'expired', 'all'] as const).map(
        (status) => () => pages(call.qrCodes.list, { storeId, status }, { storeId, status, search: '12' }),
      ),
    ),
  'tables.list': ({ call, storeId }) => call.tables.list({ storeId }),
  'tables.cards': ({ call, storeId }) =>
    runInSequence(
      () => call.tables.cards({ storeId }),
      () => call.tables.cards({ storeId, area: 'Hall', tableIds: [newId()] }),
    ),
  'menu.categories': ({ call }) => call.menu.categories(),
  'menu.categoryItems': async ({ call }) => call.menu.categoryItems({ categoryId: await someCategory(call) }),
  'menu.searchItems': ({ call }) => pages(call.menu.searchItems, {}, { search: 'lak' }, { status: 'archived' }),
  'menu.item': async ({ call }) => call.menu.item({ itemId: await someItem(call) }),
  'menu.optionGroups': ({ call }) => call.menu.optionGroups(),
  'stockOuts.list': async ({ call, storeId }) => {
    const categoryId = await someCategory(call);
    await call.stockOuts.list({});
    await call.stockOuts.list({ storeId, categoryId, search: 'lak' });
  },
};

const administrationLists: Calls = {
  'settings.get': ({ call }) => call.settings.get(),
  'cardAccount.get': ({ call }) => call.cardAccount.get(),
  'settings.ordering': ({ call }) => call.settings.ordering(),
  'settings.choices': ({ call }) => call.settings.choices(),
  'settings.pinCoverage': ({ call }) => call.settings.pinCoverage(),
  'stores.list': ({ call }) => call.stores.list(),
  'staff.list': ({ call }) => call.staff.list(),
  'apiKeys.list': ({ call }) => pages(call.apiKeys.list, {}, { state: 'active' }, { state: 'ended' }),
  'apiKeys.get': async ({ call }) => call.apiKeys.get({ apiKeyId: await someKey(call) }),
  'apiKeys.requests': async ({ call }) => {
    const apiKeyId = await someKey(call);
    const outcomes = ['succeeded', 'refused', 'failed'] as const;
    await pages(call.apiKeys.requests, { apiKeyId }, ...outcomes.map((outcome) => ({ apiKeyId, outcome })));
  },
  'webhooks.list': ({ call }) => call.webhooks.list(),
  'webhooks.get': async ({ call }) => {
    const { endpointId } = await newDelivery(call);
    await call.webhooks.get({ endpointId });
  },
  'webhooks.deliveries': async ({ call }) => {
    const { endpointId } = await newDelivery(call);
    await call.webhooks.sendTest({ endpointId });
    const states = ['pending', 'delivered', 'failed'] as const;
    await pages(call.webhooks.deliveries, { endpointId }, ...states.map((state) => ({ endpointId, state })));
  },
  'webhooks.delivery': async ({ call }) => call.webhooks.delivery(await newDelivery(call)),
  'messages.list': ({ call, customer: { id: customerId } }) => {
    const states = ['queued', 'sent', 'delivered', 'read', 'failed', 'inbox'] as const;
    const { list } = call.messages;
    return runInSequence(
      () => pages(list, {}, { customerId }, days, ...states.map((state) => ({ state }))),
      () => pages(list, { customerId, state: 'failed', ...days }),
    );
  },
  'messages.templates': ({ call }) => call.messages.templates(),
  'auditLog.list': ({ call, staff, customer }) => {
    const { list } = call.auditLog;
    const { userId: actor } = staff.staff;
    const action = 'menu.updateItem';
    return runInSequence(
      () => pages(list, {}, days, { actor }, { actor: 'service' }, { actor: 'diner' }, { action }, { actor, action }),
      () => pages(list, { subjectKind: 'customer', subjectId: customer.id }, { actor: 'service', action }),
      () => pages(list, { actor, action, subjectKind: 'customer', subjectId: customer.id, ...days }),
    );
  },
  'auditLog.choices': ({ call }) => call.auditLog.choices(),
  'packages.list': ({ call }) =>
    runInSequence(
      () => call.packages.list({}),
      () => call.packages.list({ status: 'archived' }),
    ),
  'packages.get': ({ call, packageId }) => call.packages.get({ packageId }),
  'campaigns.list': ({ call }) =>
    pages(call.campaigns.list, {}, { search: 'five' }, { status: 'untranslated' }, { status: 'archived' }),
  'campaigns.countUntranslated': ({ call }) => call.campaigns.countUntranslated(),
  'campaigns.get': ({ call, ordering: { campaignId } }) => call.campaigns.get({ campaignId }),
  'campaigns.pluChoices': ({ call }) =>
    runInSequence(
      () => call.campaigns.pluChoices({}),
      () => call.campaigns.pluChoices({ search: 'lak' }),
      () => call.campaigns.pluChoices({ plus: ['N001'] }),
    ),
  'vouchers.list': ({ call, ordering: { campaignId } }) => {
    const states = ['unused', 'redeemed', 'cancelled'] as const;
    return pages(call.vouchers.list, { campaignId }, ...states.map((state) => ({ campaignId, state })));
  },
  'vouchers.findRecipients': ({ call, customer }) =>
    call.vouchers.findRecipients({ lines: [customer.phone, customer.email, customer.id, 'nobody@example.com'] }),
  'vouchers.givable': ({ call }) => call.vouchers.givable(),
  'vouchers.countSegment': ({ call, storeId }) => {
    const count = (given: object) => call.vouchers.countSegment({ segment: { ...allCustomers, ...given } });
    return runInSequence(
      () => count({}),
      () => count({ holdsStoredValue: true }),
      () => count({ minSpent: 1 }),
      () => count({ lastVisitedStoreId: storeId, notSeenSince: day(90), joinedBefore: day(0) }),
      () => count({ minVisits: 2, notSeenDays: 30, birthMonth: 3, tag: 'VIP' }),
      () => count({ boughtPlus: ['N001'] }),
      async () => count({ boughtCategoryId: await someCategory(call) }),
    );
  },
  'automations.list': ({ call }) => call.automations.list(),
};

type Caller = CallScene['call'];
export const someCategory = async (call: Caller) => (await call.menu.categories())[0]?.categoryId as string;
export const someItem = async (call: Caller) =>
  (await call.menu.categoryItems({ categoryId: await someCategory(call) }))[0]?.itemId as string;
export const someKey = async (call: Caller) => (await call.apiKeys.list({})).items[0]?.apiKeyId as string;

export const staffLists: Calls = { ...ledgerLists, ...orderingLists, ...administrationLists };
