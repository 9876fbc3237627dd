/** What the fuzzer's tills know: two merchants, each with something of everything, and keys of every kind. */
import {
  createCustomer,
  createFixedPackage,
  createKey,
  createMerchant,
  createOpenPackage,
  createTopUpRequest,
} from '@/server/testing/factory';
import { createOrder, createVoucher } from '@/server/testing/factory-ordering';
import type { Api } from '../harness';
import { createOrderingStage, plainSale } from '../ordering-operations';
import { createEndpointRows, createWebhooksKey, endpointUrl } from '../webhook-operations';
import type { Actor } from './requests';

const count = 12;
const times = <T>(make: (n: number) => Promise<T>) => Promise.all(Array.from({ length: count }, (_, n) => make(n)));

/** Three tills of a merchant: its two stores', and one with a key for both. */
async function createTills(
  api: Api,
  settings: NonNullable<Parameters<typeof createOrderingStage>[1]>,
): Promise<Actor[]> {
  const { owner } = api;
  const { merchant, key, campaignId, customer } = await createOrderingStage(api, settings);
  const { id } = merchant;
  const customers = [customer, ...(await times(() => createCustomer(owner, id, { pin: '4831' })))];
  const customerId = customer.id;
  const packageIds = await times((n) =>
    n % 3 === 0
      ? createOpenPackage(owner, id, { min: 100, max: 50_000, basisPoints: 1_000 })
      : createFixedPackage(owner, id, { amount: 10_000, bonus: 2_000 }),
  );
  // Each is redeemed once. In the order of their customers, so that a till's few of both belong together.
  const owners = [...customers, ...customers, ...customers];
  const vouchers = await Promise.all(owners.map((one) => createVoucher(owner, id, { campaignId, customerId: one.id })));
  const counterCodes = await times((n) =>
    createTopUpRequest(owner, id, { customerId, packageId: packageIds[n] ?? '' }),
  );
  const codes = await times(async (n) => (await api.post(key, '/qr-codes', { billId: `bill-${n}` })).body);
  const orders = await times((n) => createOrder(api.db, id, { qrCodeId: codes[n].qrCodeId }));
  for (const one of customers) {
    const ref = { customerId: one.id };
    await api.post(key, '/transactions/stored-value/top-up', {
      transactionId: `up-${one.id}`,
      customer: ref,
      packageId: packageIds[1],
    });
    await api.post(key, '/sales', plainSale(50_000, { customer: ref }));
  }
  const endpointIds = await createEndpointRows(api, id, 5);
  const pools = {
    customerId: customers.map((one) => one.id),
    // Some numbers have no customer yet.
    phone: [...customers.map((one) => one.phone), ...customers.map((_, n) => `+659100${1_000 + n}`)],
    email: [...customers.map((one) => one.email), ...customers.map((_, n) => `new${n}@example.com`)],
    packageId: packageIds,
    voucherCode: vouchers,
    counterCode: counterCodes,
    qrCodeId: codes.map(({ qrCodeId }) => qrCodeId),
    billId: codes.map(({ billId }) => billId),
    orderId: orders.map(({ orderId }) => orderId),
    plu: ['N001', 'N002', 'D001', 'gone'],
    currency: [settings.currency ?? 'SGD'],
    pin: ['4831', '4831', '4831', '0000'],
    occurredAt: [new Date(Date.now() - 60_000).toISOString()],
    endpointId: endpointIds,
    url: [endpointUrl],
    closedAt: [new Date(Date.now() - 60_000).toISOString()],
  };
  const [north, south] = merchant.stores;
  const webhooksKey = await createWebhooksKey(api, id);
  return [
    { key: north.key, webhooksKey, pools: { ...pools, storeCode: ['NORTH'] } },
    { key: south.key, webhooksKey, pools: { ...pools, storeCode: ['SOUTH'] } },
    { key: merchant.key, webhooksKey, pools: { ...pools, storeCode: ['NORTH', 'SOUTH'] } },
  ];
}

/** Tills of two merchants, also one that asks for what is the other's; and keys that open nothing. */
export async function createFuzzStage(api: Api): Promise<{ actors: Actor[]; badKeys: string[]; sandboxKey: string }> {
  const first = await createTills(api, {});
  const second = await createTills(api, {
    currency: 'JPY',
    country: 'JP',
    pin_required: true,
    balance_limit: 500_000,
    enrol_on_sale: true,
  });
  const [own, other] = [first[0], second[0]];
  if (!own || !other) throw new Error('there are no tills');
  const { id } =
    await api.owner`select merchant_id as id from customers where id = ${own.pools.customerId?.[0] ?? ''}`.then(
      ([row]) => row as { id: string },
    );
  const past = new Date(Date.now() - 1_000);
  const badKeys = [
    '',
    own.key.slice(0, -1),
    `${own.key}, ${own.key}`,
    own.key.toUpperCase(),
    'x',
    'ä',
    "' or 1=1; --",
    'x'.repeat(4_000),
    await createKey(api.owner, id, null, { revoked_at: past }),
    await createKey(api.owner, id, null, { expires_at: past }),
    await createKey(api.owner, id, null, { environment: 'live' }),
  ];
  const { key: sandboxKey } = await createMerchant(api.owner);
  return { sandboxKey, actors: [...first, ...first, ...second, { ...own, pools: other.pools }], badKeys };
}
