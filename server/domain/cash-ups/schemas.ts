import { z } from 'zod';
import { type PaymentMethod, paymentMethods } from '@/db/kinds/lists';
import { day, instant, maxMoney, text, uuid } from '../kernel/schemas';

export { type PaymentMethod, paymentMethods };

/** Minor units. Expected money is negative if more was paid out than taken. */
export type ByMethod = Record<PaymentMethod, number>;

const byMethod = (amount: z.ZodInt) =>
  z.strictObject({ cash: amount, card: amount, other: amount } satisfies Record<PaymentMethod, z.ZodInt>);

/** A business day, of a store or of all. */
export const cashUpDayInput = z.strictObject({ day: day(), storeId: uuid.optional() });
export type CashUpDayInput = z.infer<typeof cashUpDayInput>;

export const openShiftInput = z.strictObject({ storeId: uuid });

const counted = byMethod(z.int().min(-maxMoney).max(maxMoney)).describe('What was counted, in minor units.');

export const closeShiftInput = z.strictObject({
  storeId: uuid,
  /** As the screen showed them. If they are outdated, nothing is closed. */
  since: instant,
  until: instant,
  expected: byMethod(z.int()),
  counted,
});
export type CloseShiftInput = z.infer<typeof closeShiftInput>;

export const correctCashUpInput = z.strictObject({
  replacesId: uuid.describe('The cash-up that is corrected.'),
  counted,
  reason: z.string().trim().pipe(text(200)),
});
export type CorrectCashUpInput = z.infer<typeof correctCashUpInput>;
