import { and, asc, eq, gt } from 'drizzle-orm';
import { withMerchant } from '@/db/driver';
import { type Given, prepare } from '@/db/query/queries';
import { menuItems, stockOuts } from '@/db/schema';
import { auditPos } from '../kernel/audit';
import type { PosContext } from '../kernel/context';
import { invalid } from '../kernel/errors';
import { checkOccurredAt } from '../kernel/occurred-at';
import { fromCursor, toCursor } from '../kernel/page';
import { say } from '../kernel/say';
import { requestedStore } from '../merchants';
import { describeItem, readItems } from './current';
import { addStockOuts, isOut, removeStockOuts } from './entries';
import { isListed, nameOn, optionNames } from './names';
import type {
  ListStockOutsInput,
  ListStockOutsOutput,
  RestoreInput,
  RestoreOutput,
  StockOutInput,
  StockOutOutput,
} from './schemas';

/**
 * Marks items as sold out: ordering pages show it and orders are refused from now on (specification, section 4.2: Stock
 * out PLU items). Errors: `invalid_request` for an `until` in the past, `store_forbidden`, `store_not_found`.
 */
export async function stockOut(ctx: PosContext, input: StockOutInput): Promise<StockOutOutput> {
  checkOccurredAt(input.occurredAt, ctx.clock.now(), ctx.merchant);
  const store = await requestedStore(ctx, input.storeCode);
  const now = ctx.clock.now();
  const until = input.until ? new Date(input.until) : null;
  if (until !== null && until <= now) throw invalid('until', say('notInTheFuture'));
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const entries = input.plus.map((plu) => ({ storeId: store.id, plu, until }));
    const actor = { kind: 'apiKey', id: ctx.apiKeyId } as const;
    const { added, changed } = await addStockOuts(tx, entries, {
      merchant: ctx.merchant,
      actor,
      now,
      setsUntil: input.until !== undefined,
    });
    if (added.length + changed.length > 0) {
      const plus = [...added, ...changed].map(({ plu }) => plu).sort();
      const after = { plus, until };
      await auditPos(tx, ctx, 'stockOut.add', { kind: 'store', id: store.id }, input, { after });
    }
    const isNew = new Set(added.map(({ plu }) => plu));
    const rows = await readItems(tx, store.id, input.plus);
    return {
      storeCode: store.storeCode,
      items: input.plus.map((plu) => ({
        ...describeItem(plu, rows.get(plu)?.name),
        status: isNew.has(plu) ? 'stocked_out' : 'already_stocked_out',
        until: rows.get(plu)?.until?.toISOString() ?? null,
      })),
    };
  });
}

/** Makes items available again. Errors: `store_forbidden`, `store_not_found`. */
export async function restoreItem(ctx: PosContext, input: RestoreInput): Promise<RestoreOutput> {
  checkOccurredAt(input.occurredAt, ctx.clock.now(), ctx.merchant);
  const store = await requestedStore(ctx, input.storeCode);
  const now = ctx.clock.now();
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const rows = await readItems(tx, store.id, input.plus);
    const entries = input.plus.map((plu) => ({ storeId: store.id, plu }));
    const restored = new Set((await removeStockOuts(tx, ctx.merchant, entries, now)).map(({ plu }) => plu));
    if (restored.size > 0) {
      const before = { plus: [...restored] };
      await auditPos(tx, ctx, 'stockOut.restore', { kind: 'store', id: store.id }, input, { before });
    }
    return {
      storeCode: store.storeCode,
      items: input.plus.map((plu) => ({
        ...describeItem(plu, rows.get(plu)?.name),
        status: restored.has(plu) ? 'restored' : 'not_stocked_out',
      })),
    };
  });
}

/** Lists what is sold out at a store now, by PLU. */
export async function listStockOuts(ctx: PosContext, input: ListStockOutsInput): Promise<ListStockOutsOutput> {
  const store = await requestedStore(ctx, input.storeCode);
  const after = fromCursor(input.after, /^[^\p{Cc}\p{Cs}]{1,64}$/u);
  const { limit } = input;
  const rows = await withMerchant(ctx.db, ctx.merchant.id, ({ merchantId, db }) =>
    listAfter(db, { merchantId, storeId: store.id, now: ctx.clock.now(), after: after ?? '', limit: limit + 1 }),
  );
  const page = rows.slice(0, limit);
  return {
    storeCode: store.storeCode,
    items: page.map((row) => ({
      ...describeItem(row.plu, row.name),
      until: row.until?.toISOString() ?? null,
      stockedOutAt: row.stockedOutAt.toISOString(),
    })),
    nextCursor: rows.length > limit ? toCursor(page.at(-1)?.plu ?? '') : null,
  };
}

interface StockOutPage {
  merchantId: string;
  storeId: string;
  now: Date;
  /** Before all PLUs, because no PLU is empty. */
  after: string;
  limit: number;
}

const listAfter = prepare((db, given: Given<StockOutPage>) => {
  const options = optionNames(db, given.merchantId);
  const { plu, until, stockedOutAt } = stockOuts;
  return db
    .select({ plu, name: nameOn(options), until, stockedOutAt })
    .from(stockOuts)
    .leftJoin(menuItems, isListed(stockOuts.merchantId, plu))
    .leftJoin(options, eq(options.plu, plu))
    .where(
      and(
        eq(stockOuts.merchantId, given.merchantId),
        eq(stockOuts.storeId, given.storeId),
        isOut(given.now),
        gt(plu, given.after),
      ),
    )
    .orderBy(asc(plu))
    .limit(given.limit);
});
