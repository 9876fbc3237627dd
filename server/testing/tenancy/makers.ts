/** Creates what tests use up. */

import { withMerchant } from '@/db/driver';
import { holdPayment } from '@/server/domain/bills/payments';
import { putBill } from '@/server/domain/bills/put';
import { receiveFile } from '@/server/domain/customer-imports/upload';
import { newId } from '@/server/domain/kernel/ids';
import { uploadPhoto } from '@/server/domain/menu/photos';
import { generateQrCode } from '@/server/domain/qr-ordering/qr-codes';
import { callFromTable } from '@/server/domain/qr-ordering/table-calls';
import { topUp } from '@/server/domain/top-ups/top-up';
import { fiveOff } from '../campaigns';
import { createCustomer, createDispute, createFixedPackage, createTopUpRequest } from '../factory';
import { createOrder } from '../factory-ordering';
import type { TenancyGround } from './ground';
import { samplePicture } from './picture';

export type Makers = Awaited<ReturnType<typeof makersOf>>;

/** Functions that create a merchant's data, and one permanent item of each kind. */
export async function makersOf(ground: TenancyGround) {
  const people = await peopleOf(ground);
  return { ...people, ...(await menuOf(ground)), ...(await vouchersOf(ground, people.customer.id)) };
}

/** Customers, and their payments. */
async function peopleOf(ground: TenancyGround) {
  const { owner, merchant, north, till, call, unique, staff, newNumber } = ground;
  const { id } = merchant;
  const newCustomer = async () => {
    const customer = { ...(await createCustomer(owner, id, { pin: '4831' })), phone: newNumber() };
    await owner`update customers set ${owner({ given_name: unique(), phone: customer.phone })} where id = ${customer.id}`;
    return customer;
  };
  const customer = await newCustomer();
  const packageId = await createFixedPackage(owner, id, { name: unique(), amount: 10_000, bonus: 2_000 });
  const newEndpoint = async () => {
    // A merchant can have ten, so it replaces the oldest one.
    const [oldest, ...more] = await call.webhooks.list();
    if (oldest && more.length > 5) await call.webhooks.remove({ endpointId: oldest.endpointId });
    const address = { url: `https://${unique()}.example.com`, description: unique() };
    const { endpointId } = await call.webhooks.create({ ...address, eventTypes: ['order.placed'] });
    return { endpointId };
  };
  const newRequest = async () => {
    const counterCode = await createTopUpRequest(owner, id, { customerId: customer.id, packageId });
    const [row] = await owner`
        select id from top_up_requests where merchant_id = ${id} and counter_code = ${counterCode}`;
    return { topUpRequestId: row?.id as string, counterCode };
  };
  const ref = () => ({ transactionId: unique(), customer: { customerId: customer.id }, billId: unique() });
  return {
    customer,
    packageId,
    newCustomer,
    ref,
    /** Creates a top-up, and returns its uid. */
    paid: async () => {
      const { transactionId } = await topUp(till, { ...ref(), packageId });
      // A till's ids are unique only within its merchant.
      const [row] = await owner`
        select uid from transactions where merchant_id = ${id} and transaction_id = ${transactionId}`;
      return row?.uid as string;
    },
    newRequest,
    newDispute: async () => ({ disputeId: await createDispute(owner, id, (await newRequest()).topUpRequestId) }),
    newEndpoint,
    newDelivery: async () => {
      const { endpointId } = await newEndpoint();
      return { endpointId, ...(await call.webhooks.sendTest({ endpointId })) };
    },
    newImport: async () => {
      const csv = `name,phone\n${unique()},${newNumber()}\n${unique()},nonsense\n`;
      const body = new Blob([csv]).stream() as unknown as AsyncIterable<Uint8Array>;
      return (await receiveFile(staff.owner, { fileName: `${unique()}.csv`, body })).importId;
    },
    newInvitation: async (email = `${unique()}@example.com`) =>
      call.staff.invite({ email, role: 'cashier', language: 'en', allStores: false, storeIds: [north.id] }),
    newStore: async () => {
      const storeCode = unique();
      return { storeCode, ...(await call.stores.create({ storeCode, name: unique() })) };
    },
  };
}

/** The menu, and orders. */
async function menuOf({ owner, db, services, merchant: { id }, north, staff, till, call, unique }: TenancyGround) {
  const { photoId } = await uploadPhoto(staff.owner, await samplePicture());
  const newCategory = async () => (await call.menu.createCategory({ name: unique() })).categoryId;
  const first = await newCategory();
  const newItem = async (categoryId = first) => {
    const plu = unique();
    return { plu, ...(await call.menu.createItem({ categoryId, plu, name: unique(), price: 500 })) };
  };
  const newCode = () => generateQrCode(till, { billId: unique(), table: unique() });
  const newCall = async () => {
    const { qrCodeId, url } = await newCode();
    await callFromTable(services, { token: url.split('/q/')[1] ?? '', client: '192.0.2.1' }, { kind: 'staff' });
    const [row] = await owner`select id from table_calls where qr_code_id = ${qrCodeId}`;
    return row?.id as string;
  };
  const newOrder = async () => {
    const [{ qrCodeId }, { plu }] = [await newCode(), await newItem()];
    const lines = [{ plu, quantity: 1, unitPrice: 500 }];
    return (await createOrder(db, id, { qrCodeId, note: unique(), lines })).orderId;
  };
  /** Opens a bill that a phone is paying. Returns its uid. */
  const newBill = async () => {
    const [billId, amount] = [unique(), 5_000];
    await putBill(till, {
      billId,
      revision: 1,
      table: unique(),
      currency: 'SGD',
      lines: [{ plu: unique(), name: unique(), quantity: 1, unitPrice: amount, amount }],
      subtotal: amount,
      discount: 0,
      serviceCharge: 0,
      tax: 0,
      total: amount,
    });
    const name = { storeId: north.id, billId };
    const payment = { paymentId: newId(), amount: 100, tip: 0, guestId: newId(), guestName: unique() };
    await withMerchant(db, id, (tx) => holdPayment(tx, till.merchant, name, payment, new Date()));
    const [row] = await owner`select id from bills where merchant_id = ${id} and bill_id = ${billId}`;
    return row?.id as string;
  };
  const newOptionGroup = async () => {
    const options = [{ name: unique(), price: 100, plu: unique() }];
    const { optionGroupId } = await call.menu.createOptionGroup({ name: unique(), minimum: 0, maximum: 1, options });
    const group = await call.menu.optionGroup({ optionGroupId });
    return { optionGroupId, optionId: group.options[0]?.optionId ?? '' };
  };
  return { categoryId: first, photoId, newCategory, newItem, newCode, newCall, newOrder, newBill, newOptionGroup };
}

async function vouchersOf({ owner, call, unique }: TenancyGround, customerId: string) {
  const newCampaign = async () => (await call.campaigns.create({ ...fiveOff, name: unique() })).campaignId;
  const campaignId = await newCampaign();
  const newVoucher = async () => {
    const audience = { kind: 'customers' as const, customerIds: [customerId] };
    await call.vouchers.issue({ campaignId, issueId: newId(), audience });
    const [row] = await owner`
      select id, voucher_code as code from vouchers where campaign_id = ${campaignId} order by id desc limit 1`;
    return row as { id: string; code: string };
  };
  return { campaignId, newCampaign, newVoucher };
}
