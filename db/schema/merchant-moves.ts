import { sql } from 'drizzle-orm';
import { check, index, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { bytes, instant, listOfLiterals, merchantId, tenantPolicy } from '../kinds/columns';
import { movedKinds, moveStates } from '../kinds/lists';

/**
 * Merchants that are moving between cells, or have left this one. The table belongs to its cell: it is neither copied
 * to another cell nor archived. Only the operator's commands write it. No foreign key, because the merchant's own row
 * arrives later or is gone.
 */
export const merchantMoves = pgTable(
  'merchant_moves',
  {
    merchantId: uuid('merchant_id').primaryKey(),
    /**
     * `leaving`: served here until it is stopped. `arriving`: its rows are being copied here, and no cell serves it
     * from here. `left`: another cell serves it.
     */
    state: text('state', { enum: moveStates }).notNull(),
    /** The other cell: where the merchant goes, comes from, or went. */
    cell: text('cell').notNull(),
    /** While it is leaving: nothing is written for it from then on. */
    stoppedAt: instant('stopped_at'),
    /** The step of `merchant move` that it has reached, so that another run can go on. */
    step: text('step'),
    startedAt: instant('started_at').notNull().defaultNow(),
    leftAt: instant('left_at'),
  },
  (t) => [
    check('merchant_moves_state', sql`${t.state} in (${listOfLiterals(moveStates)})`),
    check('merchant_moves_stopped', sql`${t.state} <> 'arriving' or ${t.stoppedAt} is null`),
    check('merchant_moves_left', sql`(${t.state} = 'left') = (${t.leftAt} is not null)`),
    tenantPolicy(),
  ],
);

/**
 * Hashes of keys and tokens, and ids, by which callers still name a merchant that has left. Its other rows are gone.
 * Callers are told where it went.
 */
export const movedReferences = pgTable(
  'moved_references',
  {
    kind: text('kind', { enum: movedKinds }).notNull(),
    /** The hash of a token or key, or an id's bytes. */
    reference: bytes('reference').notNull(),
    merchantId: merchantId().references(() => merchantMoves.merchantId, { onDelete: 'cascade' }),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.kind, t.reference] }),
    // It is looked up before the merchant is known. A person may have worked for several merchants.
    index('moved_references_reference').on(t.reference, t.kind),
    check('moved_references_kind', sql`${t.kind} in (${listOfLiterals(movedKinds)})`),
    tenantPolicy(),
  ],
);
