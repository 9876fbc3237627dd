import { withSnapshot } from '@/db/driver';
import { requireBill } from '../bills';
import type { DinerCustomer } from '../identity';
import type { Services, TransactionContext } from '../kernel/context';
import { countAgainst } from '../limits';
import { redeemPoints } from '../points';
import type { DinerTable } from '../qr-ordering';
import { redeemStoredValue } from '../stored-value';
import { takeBackRedemption } from '../transactions';
import { redeemVoucher } from '../vouchers';
import type { RedeemOnBillInput } from './schemas';
import { checkOffered } from './table-offers';

/** More than a diner needs. Each redemption, take-back and refusal is recorded and sent to tills. */
export const mostChanges = 60;
const countChange = (services: Services, { customerId }: DinerCustomer): Promise<void> =>
  countAgainst(services, { key: `redeeming on bills ${customerId}`, attempts: mostChanges, windowSeconds: 600 });

/**
 * Redeems a customer's vouchers, points or balance on the table's open bill, by the same rules as at a till, including
 * the PIN. It is an ordinary transaction without a key. Repeating a `requestId` redeems once and returns the same.
 * Returns the amount taken off, in minor units. Errors: `not_offered`, `too_many_attempts`, `bill_not_found`,
 * `bill_closed`, and those of the redemptions.
 */
export async function redeemOnBill(
  services: Services,
  table: DinerTable,
  diner: DinerCustomer,
  { requestId, pin, ...wish }: RedeemOnBillInput,
): Promise<{ transactionId: string; amount: number }> {
  checkOffered(table);
  await countChange(services, diner);
  const { merchant, store, billId } = table;
  // Without a bill, the attempt is refused here and not recorded.
  await withSnapshot(services.db, merchant.id, (tx) => requireBill(tx, { storeId: store.id, billId }, 'read'));
  const ctx: TransactionContext = { ...services, merchant, apiKeyId: null, boundStore: store };
  const { customerId } = diner;
  const transactionId = `diner:${requestId}`;
  const request = { transactionId, billId, customer: { customerId }, pin };
  const amountOf = async () => {
    switch (wish.kind) {
      case 'voucher':
        return (await redeemVoucher(ctx, { ...request, voucherCode: wish.voucherCode, shownAmount: wish.amount }))
          .discount.amount;
      case 'points':
        return (await redeemPoints(ctx, { ...request, points: wish.points })).amount;
      case 'storedValue':
        return (await redeemStoredValue(ctx, { ...request, amount: wish.amount })).amountRedeemed;
    }
  };
  return { transactionId, amount: await amountOf() };
}

/**
 * Voids what the customer redeemed on the table's open bill with a phone. Repeating it changes nothing. Errors:
 * `too_many_attempts`, `transaction_not_found`, also for a till's redemption, `bill_closed`, `bill_settling`,
 * `bill_paid`.
 */
export async function takeBackOnBill(
  services: Services,
  { merchant, store, billId, offers: { takeBackMinutes } }: DinerTable,
  diner: DinerCustomer,
  { transactionId }: { transactionId: string },
): Promise<void> {
  await countChange(services, diner);
  const { customerId } = diner;
  const own = { storeId: store.id, billId, customerId, transactionId, takeBackMinutes };
  await takeBackRedemption({ ...services, merchant }, own);
}
