/** Merchants' own accounts at Stripe, connected to the operator's (https://docs.stripe.com/connect). */
import type Stripe from 'stripe';
import type { CardAccountState } from '@/db/kinds/lists';
import { say } from '@/server/domain/kernel/say';
import type { ConnectedAccounts } from '../domain/kernel/card-payments';
import type { Cell } from '../domain/kernel/cells';
import { DomainError } from '../domain/kernel/errors';
import { accountGone, ask, tryLater } from './stripe-call';

export const connectedAccounts = (stripe: Stripe, cell: Cell | undefined): ConnectedAccounts => ({
  createAccount: (merchant) => createAccount(stripe, merchant, cell),
  createLink: async (account, url) => {
    const link = { account, return_url: url, refresh_url: url, type: 'account_onboarding' } as const;
    return (await ask(() => stripe.accountLinks.create(link), notNow)).url;
  },
  getState: (accountId) =>
    ask<CardAccountState>(
      async () => stateOf(await stripe.accounts.retrieve(accountId)),
      ({ code }) => (code === accountGone || code === 'resource_missing' ? 'disconnected' : tryLater()),
    ),
});

function notNow(): never {
  throw new DomainError('card_payment_unavailable', say('noCardAccount'));
}

/** The merchant has Stripe's full dashboard, pays Stripe's fees and bears its losses there: what was a Standard account. */
async function createAccount(
  stripe: Stripe,
  merchant: Parameters<ConnectedAccounts['createAccount']>[0],
  cell: Cell | undefined,
): Promise<string> {
  const account = {
    country: merchant.country,
    controller: {
      stripe_dashboard: { type: 'full' },
      fees: { payer: 'account' },
      losses: { payments: 'stripe' },
      requirement_collection: 'stripe',
    },
    business_profile: { name: merchant.name },
    metadata: { merchantId: merchant.id, ...(cell ? { cell: cell.name } : {}) },
  } as const;
  const idempotencyKey = `account-${merchant.id}-${merchant.cardAccountId ?? 'first'}`;
  return (await ask(() => stripe.accounts.create(account, { idempotencyKey }), notNow)).id;
}

function stateOf({ charges_enabled, details_submitted }: Stripe.Account): CardAccountState {
  if (charges_enabled) return 'active';
  return details_submitted ? 'restricted' : 'onboarding';
}
