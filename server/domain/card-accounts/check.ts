import { eq } from 'drizzle-orm';
import { withMerchant } from '@/db/driver';
import { merchants } from '@/db/schema';
import { auditChange } from '../kernel/audit';
import { announceChange } from '../kernel/changes';
import type { Services } from '../kernel/context';
import { DomainError } from '../kernel/errors';
import { say } from '../kernel/say';
import { findMerchantEvenClosed, lockMerchant } from '../merchants';

const maxTries = 5;

/**
 * Asks the payment service what a merchant's own account can do, and keeps it. Asks until the answer is what is kept, so that the older
 * of two answers never stays. Errors: `service_unavailable`.
 */
export async function checkCardAccount(services: Services, merchantId: string): Promise<void> {
  const connect = services.cardPayments?.connect;
  for (let tries = 0; tries < maxTries; tries++) {
    const merchant = await findMerchantEvenClosed(services, merchantId);
    if (!connect || !merchant?.cardAccountId) return;
    const { cardAccountId: accountId, cardAccountState: before } = merchant;
    const state = await connect.getState(accountId);
    if (state === before) return;
    await withMerchant(services.db, merchantId, async (tx) => {
      const current = await lockMerchant(tx);
      if (current.cardAccountId !== accountId || current.cardAccountState !== before) return;
      await Promise.all([
        tx.db.update(merchants).set({ cardAccountState: state }).where(eq(merchants.id, merchantId)),
        auditChange(
          tx,
          { kind: 'service', id: null },
          `cardAccount.${state}`,
          { kind: 'merchant', id: merchantId },
          services.systemClock.now(),
          { after: { cardAccountId: accountId } },
        ),
        announceChange(tx, 'settings'),
      ]);
    });
  }
  throw new DomainError('service_unavailable', say('inAMoment'));
}
