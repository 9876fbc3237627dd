/** The back office's changes of customers and their transactions, and their refusals. */
import { continueImport } from '@/server/domain/customer-imports/run';
import { receiveFile } from '@/server/domain/customer-imports/upload';
import { followDisputes } from '@/server/domain/disputes';
import { newId } from '@/server/domain/kernel/ids';
import { testProfile } from '@/server/testing/factory';
import { createVoucher } from '@/server/testing/factory-ordering';
import { paidByCard } from './diner';
import { type CallScene, type Calls, expectRefusal, runInSequence } from './scene';

const accountChanges: Calls = {
  'customers.enrol': async ({ call }) => {
    const email = `${newId()}@example.com`;
    const profile = { ...testProfile, email, birthday: '1990-01-02' };
    await call.customers.enrol(profile);
    await expectRefusal(call.customers.enrol(profile));
  },
  'customers.edit': async ({ call, customer, newCustomer }) => {
    const { id: customerId, email } = await newCustomer();
    const profile = { ...testProfile, customerId, givenName: 'Eve', phone: '+6581230001', email };
    const revision = async () => (await call.customers.get({ customerId })).revision;
    await call.customers.edit({ ...profile, revision: await revision() });
    await expectRefusal(call.customers.edit({ ...profile, email: customer.email, revision: await revision() }));
  },
  'customers.adjust': async ({ call, newCustomer }) => {
    const { id: customerId } = await newCustomer();
    const what = { customerId, amount: 500, expiresOn: null, reason: 'Goodwill' };
    const add = { ...what, part: 'principal', direction: 'add', adjustmentId: newId() } as const;
    await call.customers.adjust(add);
    await call.customers.adjust(add);
    await call.customers.adjust({ ...what, part: 'principal', direction: 'take', adjustmentId: newId() });
    await expectRefusal(call.customers.adjust({ ...what, part: 'points', direction: 'take', adjustmentId: newId() }));
  },
  'customers.topUp': async ({ call, newCustomer, storeId, packageId }) => {
    const { id: customerId } = await newCustomer();
    const what = { topUpId: newId(), customerId, storeId, packageId, amount: null, paymentMethod: 'cash' as const };
    await call.customers.topUp(what);
    await call.customers.topUp(what);
    await expectRefusal(call.customers.topUp({ ...what, topUpId: newId(), packageId: newId() }));
  },
  'customers.cashOut': async ({ call, newCustomer, storeId, packageId }) => {
    const { id: customerId } = await newCustomer();
    const paymentMethod = 'cash' as const;
    await call.customers.topUp({ topUpId: newId(), customerId, storeId, packageId, amount: null, paymentMethod });
    const what = { cashOutId: newId(), customerId, storeId, amount: 10, paymentMethod, reason: 'Moves abroad' };
    await call.customers.cashOut(what);
    await call.customers.cashOut(what);
    await expectRefusal(call.customers.cashOut({ ...what, cashOutId: newId(), amount: 99_999_999 }));
  },
  'customers.addNote': async (scene) => newNote(scene),
  'customers.editNote': async (scene) => scene.call.customers.editNote({ ...(await newNote(scene)), text: 'Quiet' }),
  'customers.removeNote': async (scene) => scene.call.customers.removeNote(await newNote(scene)),
  'customers.resetPin': async ({ call, newCustomer }) => {
    const { id: customerId } = await newCustomer();
    for (let times = 0; times < 3; times++) await call.customers.resetPin({ customerId });
    await expectRefusal(call.customers.resetPin({ customerId }));
  },
  'customers.setMessages': ({ call, customer: { id: customerId } }) =>
    runInSequence(
      () => call.customers.setMessages({ customerId, wantsMessages: false }),
      () => call.customers.setMessages({ customerId, wantsMessages: true }),
    ),
  'customers.block': async ({ call, newCustomer }) =>
    call.customers.block({ customerId: (await newCustomer()).id, reason: 'Fraud' }),
  'customers.unblock': async ({ call, newCustomer }) => {
    const { id: customerId } = await newCustomer();
    await call.customers.block({ customerId, reason: 'Fraud' });
    await call.customers.unblock({ customerId });
  },
  'customers.merge': async ({ call, newCustomer, packageId, storeId }) => {
    const [keptId, { id: mergedId }] = [(await newCustomer()).id, await newCustomer('4831')];
    const topUp = { topUpId: newId(), storeId, packageId, amount: null, paymentMethod: 'cash' as const };
    await call.customers.topUp({ ...topUp, customerId: mergedId });
    await call.customers.merge({ keptId, mergedId });
    await expectRefusal(call.customers.merge({ keptId: mergedId, mergedId: keptId }));
  },
  'customers.undoMerge': async ({ call, newCustomer, packageId, storeId }) => {
    const [keptId, mergedId] = [(await newCustomer()).id, (await newCustomer()).id];
    const topUp = { topUpId: newId(), storeId, packageId, amount: null, paymentMethod: 'cash' as const };
    await call.customers.topUp({ ...topUp, customerId: mergedId });
    await call.customers.merge({ keptId, mergedId });
    await call.customers.undoMerge({ mergedId });
  },
  'customers.removeMergedPhone': async ({ call, newCustomer }) => {
    const [keptId, mergedId] = [(await newCustomer()).id, (await newCustomer()).id];
    await call.customers.merge({ keptId, mergedId });
    await call.customers.removeMergedPhone({ mergedId });
  },
  'customers.erase': async ({ call, newCustomer }) =>
    call.customers.erase({ customerId: (await newCustomer('4831')).id }),
  'transactions.voidPreview': async (scene) => scene.call.transactions.voidPreview({ uids: await newBatch(scene) }),
  'transactions.void': async (scene) => {
    const { transactions } = scene.call;
    const uids = await newBatch(scene);
    const { effect } = await transactions.voidPreview({ uids });
    await transactions.void({ uids, effect, reason: 'Rung up twice' });
    const others = await newBatch(scene);
    await expectRefusal(transactions.void({ uids: others, effect: 'another', reason: 'Rung up twice' }));
  },
  'transactions.refundPart': async (scene) => {
    const [, uid = ''] = await newBatch(scene);
    const refund = { refundId: newId(), uid, amount: 40, reason: 'Cold soup' };
    const { restUid } = await scene.call.transactions.refundPart(refund);
    await scene.call.transactions.refundPart(refund);
    await scene.call.transactions.refundPart({ ...refund, refundId: newId(), uid: restUid, amount: 10 });
    await expectRefusal(scene.call.transactions.refundPart({ ...refund, refundId: newId() }));
  },
  'transactions.acknowledgeRefund': async (scene) => {
    const { call, stripe } = scene;
    const { topUpRequestId, session, told } = await paidByCard(scene);
    stripe.refund(session, 100);
    await told();
    await call.home.attention();
    await call.transactions.acknowledgeRefund({ topUpRequestId });
    stripe.refund(session);
    await told();
  },
  'disputes.of': async ({ call, customer }) => {
    await call.disputes.of({ customerId: customer.id });
    await call.disputes.of({ transactionUid: newId() });
    await call.disputes.of({ billUid: newId() });
  },
  'disputes.acknowledge': async (scene) => {
    const { call, stripe } = scene;
    const { session, topUpRequestId: id } = await paidByCard(scene);
    const about = { merchantId: scene.merchant.id, purpose: { kind: 'topUp' as const, id } };
    const paymentId = () => stripe.sessions.get(session)?.intent?.id ?? '';
    const told = () => followDisputes(scene.services, about, { paymentId: paymentId(), accountId: null });
    stripe.dispute(session);
    await told();
    stripe.changeDispute(session, 'lost');
    await told();
    for (const { disputeId } of (await call.home.attention()).disputes ?? [])
      await call.disputes.acknowledge({ disputeId });
  },
};

async function newNote({ call, customer }: CallScene): Promise<{ noteId: string }> {
  await call.customers.addNote({ customerId: customer.id, text: `Table ${newId()}` });
  const [note] = await call.customers.notes({ customerId: customer.id });
  return { noteId: note?.noteId as string };
}

/** Creates a top-up, redemptions of it and of a voucher, and a sale. */
async function newBatch({ sql, merchant, ordering, newCustomer, post, topUp, uidOf }: CallScene): Promise<string[]> {
  const customerId = (await newCustomer()).id;
  const customer = { customerId };
  const [paid, spent, used] = [newId(), newId(), newId()];
  await topUp({ transactionId: paid, customer });
  await post('/transactions/stored-value/redeem', { transactionId: spent, customer, amount: 100 });
  const voucherCode = await createVoucher(sql, merchant.id, { campaignId: ordering.campaignId, customerId });
  const bill = { amount: 5_000 };
  await post('/transactions/voucher/redeem', { transactionId: used, customer, voucherCode, bill });
  return Promise.all([paid, spent, used].map(uidOf));
}

const headings = 'First name,Last name,Mobile,E-mail,Date of birth,Balance\n';
const mapping = {
  columns: { givenName: 0, lastName: 1, phone: 2, email: 3, birthday: 4 },
  dateOrder: 'DMY' as const,
};
const withBalances = { ...mapping, columns: { ...mapping.columns, principal: 5 } };

async function* bytesOf(text: string) {
  yield Buffer.from(text);
}

/** Uploads a file with two customers, one without an e-mail address. */
export const uploadFile = ({ staff }: CallScene) =>
  receiveFile(staff, {
    fileName: 'members.csv',
    body: bytesOf(`${headings}Ada,Tan,,${newId()}@example.com,,10\nEve,Lim,,,,\n`),
  });

const importChanges: Calls = {
  'customerImports.get': async (scene) => scene.call.customerImports.get(await uploadFile(scene)),
  'customerImports.list': ({ call }) => call.customerImports.list({}),
  'customerImports.preview': async (scene) =>
    scene.call.customerImports.preview({ ...(await uploadFile(scene)), mapping: withBalances }),
  'customerImports.totals': async (scene) =>
    scene.call.customerImports.totals({ ...(await uploadFile(scene)), mapping: withBalances }),
  'customerImports.undo': async (scene) => {
    const { importId } = await uploadFile(scene);
    await scene.call.customerImports.start({ importId, mapping: withBalances });
    await continueImport(scene.staff, { merchantId: scene.merchant.id, importId });
    await scene.call.customerImports.undo({ importId });
    await continueImport(scene.staff, { merchantId: scene.merchant.id, importId });
  },
  'customerImports.start': async (scene) => {
    const { importId } = await uploadFile(scene);
    await scene.call.customerImports.start({ importId, mapping });
  },
  'customerImports.problems': async (scene) => scene.call.customerImports.problems(await uploadFile(scene)),
};

export const customerChanges: Calls = { ...accountChanges, ...importChanges };
