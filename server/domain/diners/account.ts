import { and, eq } from 'drizzle-orm';
import { withMerchant } from '@/db/driver';
import { anyOf, nameIn } from '@/db/query/expressions';
import { type Given, prepare } from '@/db/query/queries';
import { balances, customerPins, customers, menuItems, voucherCampaigns, vouchers } from '@/db/schema';
import { balancesById } from '../customers';
import type { DinerCustomer } from '../identity';
import type { Services } from '../kernel/context';
import type { Voucher } from '../kernel/voucher';
import { formatVoucherCode, parseVoucherCode } from '../kernel/voucher-code';
import { isFresh } from './pin';

const findState = prepare((db, given: Given<{ merchantId: string; customerId: string }>) => {
  const { merchantId, customerId, blockedAt } = balances;
  return db
    .select({ blockedAt, lockedUntil: customerPins.lockedUntil, messagesOptedOutAt: customers.messagesOptedOutAt })
    .from(balances)
    .innerJoin(customers, and(eq(customers.merchantId, merchantId), eq(customers.id, customerId)))
    .leftJoin(customerPins, and(eq(customerPins.merchantId, merchantId), eq(customerPins.customerId, customerId)))
    .where(and(eq(merchantId, given.merchantId), eq(customerId, given.customerId)));
});

/**
 * Returns the customer's own view: balances and the state of the PIN. Names are in `language` if translated. With a
 * store, only the vouchers that can be redeemed there.
 */
export async function getAccount(
  services: Services,
  { merchant, customerId, verifiedAt }: DinerCustomer,
  language?: string,
  storeCode?: string,
) {
  const now = services.clock.now();
  const [held, [row]] = await Promise.all([
    balancesById({ ...services, merchant }, customerId, storeCode),
    withMerchant(services.db, merchant.id, ({ merchantId, db }) => findState(db, { merchantId, customerId })),
  ]);
  const lockedUntil = row?.lockedUntil ?? null;
  const names = await namesOf(services, merchant.id, held.vouchers, language);
  const { phone, hasPin } = held.customer;
  const givenName = held.customer.givenName || held.customer.lastName;
  return {
    ...held,
    // Without what only staff may see of a customer.
    customer: { customerId, givenName, phone, hasPin },
    isBlocked: Boolean(row?.blockedAt),
    /** The names of the vouchers' items, by PLU. */
    itemNames: names.items,
    vouchers: held.vouchers.map((voucher) => ({
      ...voucher,
      name: names.vouchers[voucher.voucherCode] ?? voucher.name,
    })),
    wantsMessages: !row?.messagesOptedOutAt,
    pinLockedUntil: lockedUntil !== null && lockedUntil > now ? lockedUntil : null,
    /** True if a first PIN can be set without a code. */
    isFresh: isFresh(verifiedAt, services.systemClock.now()),
  };
}
export type Account = Awaited<ReturnType<typeof getAccount>>;

/** Returns the names of vouchers by code, and of their items by PLU. */
async function namesOf({ db }: Services, merchantId: string, held: Voucher[], language: string | undefined) {
  if (held.length === 0) return { vouchers: {}, items: {} };
  const codes = held.flatMap(({ voucherCode }) => parseVoucherCode(voucherCode) ?? []);
  const plus = [...new Set(held.flatMap((voucher) => voucher.plus))];
  const [named, items] = await withMerchant(db, merchantId, (tx) =>
    Promise.all([
      tx.db
        .select({ code: vouchers.voucherCode, name: nameIn(voucherCampaigns, language) })
        .from(vouchers)
        .innerJoin(
          voucherCampaigns,
          and(eq(voucherCampaigns.merchantId, vouchers.merchantId), eq(voucherCampaigns.id, vouchers.campaignId)),
        )
        .where(and(eq(vouchers.merchantId, merchantId), anyOf(vouchers.voucherCode, codes))),
      tx.db
        .select({ plu: menuItems.plu, name: nameIn(menuItems, language) })
        .from(menuItems)
        .where(and(eq(menuItems.merchantId, merchantId), anyOf(menuItems.plu, plus))),
    ]),
  );
  return {
    vouchers: Object.fromEntries(named.map(({ code, name }) => [formatVoucherCode(code), name])),
    items: Object.fromEntries(items.map(({ plu, name }) => [plu, name])),
  };
}
