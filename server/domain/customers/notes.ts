/** Notes of staff about a customer. */

import { and, desc, eq } from 'drizzle-orm';
import { type Tx, withMerchant } from '@/db/driver';
import { customerNotes, users } from '@/db/schema';
import { lockCustomer } from '../identity';
import { auditStaff } from '../kernel/audit';
import { announceChange } from '../kernel/changes';
import type { StaffContext } from '../kernel/context';
import { DomainError } from '../kernel/errors';
import { newId } from '../kernel/ids';
import { say } from '../kernel/say';
import type { AddNoteInput } from './schemas';

const maxNotes = 100;

export interface Note {
  noteId: string;
  text: string;
  by: string;
  createdAt: Date;
  editedAt: Date | null;
  /** True if this person may edit and remove it. */
  canChange: boolean;
}

/** Lists a customer's notes, newest first. */
export async function listNotes(ctx: StaffContext, { customerId }: { customerId: string }): Promise<Note[]> {
  const { merchant, staff } = ctx;
  const { id: noteId, text, userId, createdAt, editedAt } = customerNotes;
  const rows = await withMerchant(ctx.db, merchant.id, ({ db }) =>
    db
      .select({ noteId, text, userId, createdAt, editedAt, by: users.name })
      .from(customerNotes)
      .innerJoin(users, eq(users.id, userId))
      .where(and(eq(customerNotes.merchantId, merchant.id), eq(customerNotes.customerId, customerId)))
      .orderBy(desc(createdAt), desc(noteId))
      .limit(maxNotes),
  );
  return rows.map(({ userId: author, ...note }) => ({ ...note, canChange: mayChange(staff, author) }));
}

const mayChange = (staff: StaffContext['staff'], author: string) => staff.role !== 'cashier' || staff.userId === author;

/**
 * Adds a note. Does nothing if it repeats the last note. Errors: `customer_not_found`, `invalid_request` if there are
 * too many.
 */
export async function addNote(ctx: StaffContext, { customerId, text }: AddNoteInput): Promise<void> {
  const { userId } = ctx.staff;
  await withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const { merchantId, db } = tx;
    await lockCustomer(tx, customerId);
    const notes = await db
      .select({ userId: customerNotes.userId, text: customerNotes.text })
      .from(customerNotes)
      .where(and(eq(customerNotes.merchantId, merchantId), eq(customerNotes.customerId, customerId)))
      .orderBy(desc(customerNotes.createdAt), desc(customerNotes.id))
      .limit(maxNotes);
    if (notes[0]?.text === text && notes[0].userId === userId) return;
    if (notes.length === maxNotes) {
      const sentence = say('tooManyNotes', { count: maxNotes });
      throw new DomainError('invalid_request', sentence, {}, [{ path: 'text', sentence }]);
    }
    const createdAt = ctx.clock.now();
    await db
      .insert(customerNotes)
      .values({ merchantId, id: newId(createdAt.getTime()), customerId, userId, text, createdAt });
    await record(tx, ctx, 'customer.addNote', customerId);
  });
}

/** Edits a note. Errors: `note_not_found`, `role_forbidden` for a cashier who is not its author. */
export function editNote(ctx: StaffContext, { noteId, text }: { noteId: string; text: string }): Promise<void> {
  return withNote(ctx, noteId, async (tx, { isNote, before, customerId }) => {
    if (before === text) return;
    await tx.db.update(customerNotes).set({ text, editedAt: ctx.clock.now() }).where(isNote);
    await record(tx, ctx, 'customer.editNote', customerId);
  });
}

/** Removes a note for good. Errors: as for editing. */
export function removeNote(ctx: StaffContext, { noteId }: { noteId: string }): Promise<void> {
  return withNote(ctx, noteId, async (tx, { isNote, customerId }) => {
    await tx.db.delete(customerNotes).where(isNote);
    await record(tx, ctx, 'customer.removeNote', customerId);
  });
}

interface Opened {
  isNote: ReturnType<typeof and>;
  before: string;
  customerId: string;
}

/** Locks a note that this person may change. */
async function withNote(
  ctx: StaffContext,
  noteId: string,
  work: (tx: Tx, opened: Opened) => Promise<void>,
): Promise<void> {
  await withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const isNote = and(eq(customerNotes.merchantId, tx.merchantId), eq(customerNotes.id, noteId));
    const { customerId, userId, text: before } = customerNotes;
    const [note] = await tx.db.select({ customerId, userId, before }).from(customerNotes).where(isNote).for('update');
    if (!note) throw new DomainError('note_not_found', say('noteNotFound'));
    if (!mayChange(ctx.staff, note.userId)) throw new DomainError('role_forbidden', say('noteOfOther'));
    await work(tx, { isNote, ...note });
  });
}

/** Audited without the text: it is personal data, which the audit log never holds. */
const record = (tx: Tx, ctx: StaffContext, action: string, customerId: string) =>
  Promise.all([auditStaff(tx, ctx, action, { kind: 'customer', id: customerId }), announceChange(tx, 'customers')]);
