/** Merges of customers, and their undoing, in the model. */
import { type LedgerModel, type ModelLot, type ModelMerge, type Part, remaining } from './model';

const parts: Part[] = ['bonus', 'principal', 'points'];
const undoMs = 7 * 24 * 60 * 60_000;

let moves = 0;

/** For each part, one transaction takes all of the lots, and another grants the same, with their expiry and age. */
function moveLots(model: LedgerModel, lots: ModelLot[], customerId: string): ModelLot[] {
  moves += 1;
  const wanted = lots.filter((lot) => remaining(lot) > 0 && !lot.isWrittenOff);
  return parts.flatMap((part) =>
    wanted
      .filter((lot) => lot.part === part)
      .sort((a, b) => a.age - b.age)
      .map((lot) => {
        const { expiresAt, age } = lot;
        const amount = remaining(lot);
        lot.taken.set(`${movePrefix}${moves} ${part}`, amount);
        const transactionId = `grants ${moves} ${part}`;
        return model.addLot({ part, amount, expiresAt, age, customerId, transactionId, origin: 'moved' });
      }),
  );
}

const movePrefix = 'move ';
/** Nobody can name what moved value. */
export const isMove = (transactionId: string): boolean => transactionId.startsWith(movePrefix);

export function merge(model: LedgerModel, keptId: string, mergedId: string): ModelMerge {
  const lots = moveLots(
    model,
    model.lots.filter((lot) => lot.customerId === mergedId),
    keptId,
  );
  const vouchers = model.vouchers
    .filter((voucher) => voucher.customerId === mergedId)
    .map((voucher) => ({ voucher, wasUsed: voucher.redeemedBy !== null }));
  for (const { voucher } of vouchers) voucher.customerId = keptId;
  model.holders.set(mergedId, keptId);
  model.hasCrossed = false;
  return { keptId, mergedId, at: model.now, lots, vouchers };
}

/** Returns why a merge stays as it is; null if it was undone. */
export function undoMerge(model: LedgerModel, { mergedId, at, lots, vouchers }: ModelMerge): string | null {
  if (model.now.getTime() > at.getTime() + undoMs) return 'too late';
  if (lots.some(({ taken, isWrittenOff }) => taken.size > 0 || isWrittenOff)) return 'value was used';
  if (model.hasCrossed) return 'value crossed';
  if (vouchers.some(({ voucher, wasUsed }) => !wasUsed && voucher.redeemedBy !== null)) return 'a voucher was used';
  model.holders.delete(mergedId);
  moveLots(model, lots, mergedId);
  for (const { voucher } of vouchers) voucher.customerId = mergedId;
  return null;
}
