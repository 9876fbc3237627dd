import { withSnapshot } from '@/db/driver';
import { throttle } from '@/server/limits/throttle';
import { requireBill } from '../bills';
import type { DinerCustomer } from '../identity';
import type { Services, TransactionContext } from '../kernel/context';
import { redeemPoints } from '../points';
import type { DinerTable } from '../qr-ordering';
import { redeemStoredValue } from '../stored-value';
import { takeBackRedemption } from '../transactions';
import { redeemVoucher } from '../vouchers';
import type { RedeemOnBillInput } from './schemas';
import { checkOffered } from './table-offers';

/** Nobody taps so often. Each redemption, take-back and refusal is recorded, and tills hear of it. */
const countChange = (services: Services, { customerId }: DinerCustomer): Promise<void> =>
  throttle(services, { key: `redeeming on bills ${customerId}`, attempts: 60, windowSeconds: 600 });

/**
 * Redeems what a customer holds on the table's open bill, by the rules of a till, PIN included: an ordinary transaction
 * without a key. Repeating a `requestId` redeems once, and returns the same. Returns what it takes off, in minor units.
 * Errors: `not_offered`, `too_many_attempts`, `bill_not_found`, `bill_closed`, and those of the redemptions.
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
  // Where the till has sent no bill, nothing was tried that had to be recorded.
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
 * Takes back what the customer has redeemed on the table's open bill with a phone: a void. Taking it back again changes
 * nothing. Errors: `too_many_attempts`, `transaction_not_found`, also for a till's, `bill_closed`, `bill_paid`.
 */
export async function takeBackOnBill(
  services: Services,
  { merchant, store, billId }: DinerTable,
  diner: DinerCustomer,
  { transactionId }: { transactionId: string },
): Promise<void> {
  await countChange(services, diner);
  const { customerId } = diner;
  await takeBackRedemption({ ...services, merchant }, { storeId: store.id, billId, customerId, transactionId });
}
