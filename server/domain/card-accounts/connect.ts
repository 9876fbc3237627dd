/** A merchant's own account at the payment service, as its owner connects it. */
import { eq } from 'drizzle-orm';
import { withMerchant } from '@/db/driver';
import { merchants } from '@/db/schema';
import { auditStaff } from '../kernel/audit';
import type { CardAccount } from '../kernel/card-payments';
import { announceChange } from '../kernel/changes';
import type { StaffContext } from '../kernel/context';
import { DomainError } from '../kernel/errors';
import { say } from '../kernel/say';
import { lockMerchant } from '../merchants';
import { checkCardAccount } from './check';

export interface CardAccountView extends CardAccount {
  /** `none`: this deployment takes no cards. `operator`: it takes them on the operator's account. `own`: on the merchant's own. */
  paidInto: 'none' | 'operator' | 'own';
  canEdit: boolean;
}

/** Returns where card payments go, and how the merchant's own account stood when it was last asked for. */
export function getCardAccount({ cardPayments, merchant, staff }: StaffContext): CardAccountView {
  const { cardAccountId, cardAccountState } = merchant;
  const isOwn = cardAccountId !== null || (cardPayments?.connect ?? null) !== null;
  const paidInto = isOwn ? 'own' : 'operator';
  return {
    paidInto: cardPayments ? paidInto : 'none',
    cardAccountId,
    cardAccountState,
    canEdit: staff.role === 'owner',
  };
}

/** Asks how the account stands, for an owner who looks at it or comes back. Errors: `service_unavailable`. */
export const refreshCardAccount = (ctx: StaffContext): Promise<void> => checkCardAccount(ctx, ctx.merchant.id);

/**
 * Returns the page of the payment service where an owner goes on connecting the account. Creates the account if there is none, or
 * if the last one is no longer connected. Errors: `card_payment_unavailable`, `service_unavailable`.
 */
export async function connectCardAccount(ctx: StaffContext): Promise<{ url: string }> {
  const { merchant, cardPayments, publicOrigin } = ctx;
  const connect = cardPayments?.connect;
  if (!connect) throw new DomainError('card_payment_unavailable', say('noCardAccount'));
  const { cardAccountId, cardAccountState } = merchant;
  const isNew = cardAccountId === null || cardAccountState === 'disconnected';
  const accountId = isNew ? await keepAccount(ctx, await connect.createAccount(merchant)) : cardAccountId;
  return { url: await connect.createLink(accountId, `${publicOrigin}/settings?section=cardPayments`) };
}

/** Keeps a new account, unless another owner was faster. Returns the one that is kept. */
function keepAccount(ctx: StaffContext, accountId: string): Promise<string> {
  const { id, cardAccountId: before } = ctx.merchant;
  return withMerchant(ctx.db, id, async (tx) => {
    const current = await lockMerchant(tx);
    if (current.cardAccountId !== before) return current.cardAccountId ?? accountId;
    await Promise.all([
      tx.db
        .update(merchants)
        .set({ cardAccountId: accountId, cardAccountState: 'onboarding' })
        .where(eq(merchants.id, id)),
      auditStaff(
        tx,
        ctx,
        'cardAccount.connect',
        { kind: 'merchant', id },
        { before: { cardAccountId: before }, after: { cardAccountId: accountId } },
      ),
      announceChange(tx, 'settings'),
    ]);
    return accountId;
  });
}
