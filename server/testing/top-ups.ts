/** Shared set-up for tests of top-ups from a phone: a merchant, its customer, and a fake Stripe. */
import { afterAll, beforeAll } from 'vitest';
import { ownDatabase } from '@/db/testing/database';
import { waitForLocks } from '@/db/testing/locks';
import {
  type FakeSession,
  type FakeStripe,
  fakeConnectEnv,
  fakeStripeEnv,
  startFakeStripe,
} from '@/e2e/fixtures/fake-stripe';
import type { Services } from '@/server/domain/kernel/context';
import { newId } from '@/server/domain/kernel/ids';
import { verifyLedger } from '@/server/domain/ledger/verify';
import { findMerchant } from '@/server/domain/merchants/merchant';
import { beginTopUp } from '@/server/domain/top-ups/begin';
import type { CustomerContext } from '@/server/domain/top-ups/request';
import type { BeginTopUpInput } from '@/server/domain/top-ups/schemas';
import { type Env, readEnv } from '@/server/environment/env';
import { createStripe } from '@/server/gateways/stripe';
import { createCustomer, createFixedPackage, createMerchant, testSecret, testServices } from './factory';

type MerchantSettings = Parameters<typeof createMerchant>[1];

/**
 * For all tests of a file. Use its parts inside tests. Only `travel` moves time. `connect`: each merchant is paid into an account of its
 * own, and the operator gets 2 %.
 */
export function topUpStage({ connect = false } = {}) {
  const database = ownDatabase();
  let stripe: FakeStripe;
  let settings: Env;
  let aheadMs = 0;
  beforeAll(async () => {
    stripe = await startFakeStripe();
    settings = readEnv({
      APP_ENV: 'sandbox',
      DATABASE_URL: database.url,
      AUTH_SECRET: testSecret,
      DATA_SECRET: testSecret,
      ...fakeStripeEnv(stripe.origin),
      ...(connect ? { ...fakeConnectEnv, STRIPE_FEE_BASIS_POINTS: '200' } : {}),
    });
  });
  afterAll(() => stripe.stop());
  const services = ({ withStripe = true } = {}): Services => ({
    ...testServices(database.db, { now: () => new Date(Date.now() + aheadMs) }),
    cardPayments: withStripe ? createStripe(settings) : null,
  });

  return {
    get stripe() {
      return stripe;
    },
    get owner() {
      return database.owner;
    },
    get url() {
      return database.url;
    },
    get settings() {
      return settings;
    },
    services,
    /** Creates an account at Stripe that takes cards. Returns the settings of the merchant whose it is. */
    connectAccount: () => {
      const id = stripe.addAccount();
      return { card_account_id: id, card_account_state: 'active' as const };
    },
    travel: (ms: number) => {
      aheadMs += ms;
    },
    ledgerViolations: () => verifyLedger(database.owner),
    waiting: (count: number) => waitForLocks(database.owner, count),

    /** Creates a customer, and a package of 100.00 with a bonus of 20.00. */
    async scene(merchantSettings: MerchantSettings = {}, options: { withStripe?: boolean } = {}) {
      const merchant = await createMerchant(database.owner, merchantSettings);
      const customer = await createCustomer(database.owner, merchant.id);
      const packageId = await createFixedPackage(database.owner, merchant.id, { amount: 10_000, bonus: 2_000 });
      const all = services(options);
      const settingsNow = await findMerchant(all, merchant.id);
      if (!settingsNow) throw new Error('the merchant is not there');
      const ctx: CustomerContext = { ...all, merchant: settingsNow, customerId: customer.id };
      const begin = (input: Partial<BeginTopUpInput> = {}) =>
        beginTopUp(ctx, { requestKey: newId(), packageId, method: 'card', ...input });
      const balance = async () => {
        const [row] = await database.owner`
          select principal::int, bonus::int from balances where customer_id = ${customer.id}`;
        return { principal: row?.principal, bonus: row?.bonus };
      };
      /** Starts a checkout. Returns it with its request. */
      const beginByCard = async (input: Partial<BeginTopUpInput> = {}) => {
        const { topUpRequestId } = await begin(input);
        const session = [...stripe.sessions.values()].find(
          ({ client_reference_id: reference }) => reference === topUpRequestId,
        ) as FakeSession;
        return { merchantId: merchant.id, topUpRequestId, session };
      };
      return { merchant, customer, packageId, ctx, begin, beginByCard, balance };
    },
  };
}
