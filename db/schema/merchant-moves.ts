import { sql } from 'drizzle-orm';
import { check, index, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { bytes, instant, listed, merchantId, tenantPolicy } from '../kinds/columns';
import { movedKinds, moveStates } from '../kinds/lists';

/**
 * Merchants that are not simply at home in this cell. Belongs to the cell: it is neither copied to another one nor in an
 * archive. Written by the operator's commands only. No foreign key: a merchant's own row comes later, or is gone.
 */
export const merchantMoves = pgTable(
  'merchant_moves',
  {
    merchantId: uuid('merchant_id').primaryKey(),
    /**
     * `leaving`: served here until it is stopped. `arriving`: its rows are being copied here, and nothing serves it.
     * `left`: another cell serves it.
     */
    state: text('state', { enum: moveStates }).notNull(),
    /** The name of the other cell: where it goes, comes from, or went. */
    cell: text('cell').notNull(),
    /** While it is leaving: from when on nothing is written for it. */
    stoppedAt: instant('stopped_at'),
    /** How far the move is, in words of `merchant move`, so that another run can go on. */
    step: text('step'),
    startedAt: instant('started_at').notNull().defaultNow(),
    leftAt: instant('left_at'),
  },
  (t) => [
    check('merchant_moves_state', sql`${t.state} in (${listed(moveStates)})`),
    check('merchant_moves_stopped', sql`${t.state} <> 'arriving' or ${t.stoppedAt} is null`),
    check('merchant_moves_left', sql`(${t.state} = 'left') = (${t.leftAt} is not null)`),
    tenantPolicy(),
  ],
);

/**
 * By what a caller still names a merchant that has left: hashes of keys and tokens, and ids. Its own rows are gone, and
 * the answer is where it went.
 */
export const movedReferences = pgTable(
  'moved_references',
  {
    kind: text('kind', { enum: movedKinds }).notNull(),
    /** The hash of a token or key, or the bytes of an id. */
    reference: bytes('reference').notNull(),
    merchantId: merchantId().references(() => merchantMoves.merchantId, { onDelete: 'cascade' }),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.kind, t.reference] }),
    // It is looked up before the merchant is known. A person may have worked for several.
    index('moved_references_reference').on(t.reference, t.kind),
    check('moved_references_kind', sql`${t.kind} in (${listed(movedKinds)})`),
    tenantPolicy(),
  ],
);
