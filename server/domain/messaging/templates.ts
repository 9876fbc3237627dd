import { and, eq, sql } from 'drizzle-orm';
import { withMerchant } from '@/db/driver';
import { merchants, messageTemplates } from '@/db/schema';
import { auditStaff } from '../kernel/audit';
import { announceChange } from '../kernel/changes';
import type { NoticeKind, QuietHours, StaffContext } from '../kernel/context';
import { checkRevision, revisionOf } from '../kernel/revision';
import { lockMerchant } from '../merchants';
import { defaultBodies, defaultName } from './default-templates';
import { type MessageLanguage, messageLanguage, noticeKind, type TemplateInput } from './schemas';

type SavedTemplate = Pick<typeof messageTemplates.$inferSelect, 'templateName' | 'body' | 'isOn'>;

/** Returns the saved template, or our default, which is turned off. */
function toTemplate(kind: NoticeKind, language: MessageLanguage, worded: SavedTemplate | undefined) {
  const template: TemplateInput = worded
    ? { kind, language, templateName: worded.templateName, body: worded.body, isOn: worded.isOn }
    : { kind, language, templateName: defaultName(kind), body: defaultBodies[language][kind], isOn: false };
  return { ...template, revision: revisionOf(template) };
}

/** Returns the merchant's templates, of every kind and language. */
export async function getTemplates({ db, merchant }: StaffContext) {
  const { merchantId, kind, language, templateName, body, isOn } = messageTemplates;
  const rows = await withMerchant(db, merchant.id, (tx) =>
    tx.db
      .select({ kind, language, templateName, body, isOn })
      .from(messageTemplates)
      .where(eq(merchantId, tx.merchantId)),
  );
  const rowOf = (kind: NoticeKind, language: MessageLanguage) =>
    rows.find((one) => one.kind === kind && one.language === language);
  return {
    quietHours: merchant.quietHours,
    templates: noticeKind.options.flatMap((kind) =>
      messageLanguage.options.map((language) => toTemplate(kind, language, rowOf(kind, language))),
    ),
  };
}

/** Errors: `edited_meanwhile`, `invalid_request` for a placeholder that this kind does not have. */
export async function saveTemplate(
  ctx: StaffContext,
  { revision: opened, ...input }: TemplateInput & { revision: string },
): Promise<{ revision: string }> {
  const { kind, language, templateName, body, isOn } = input;
  const after = { kind, language, templateName, body, isOn };
  await withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const { merchantId, db } = tx;
    const t = messageTemplates;
    await lockMerchant(tx);
    const [worded] = await db
      .select({ templateName: t.templateName, body: t.body, isOn: t.isOn })
      .from(t)
      .where(and(eq(t.merchantId, merchantId), eq(t.kind, kind), eq(t.language, language)));
    const { revision: found, ...before } = toTemplate(kind, language, worded);
    checkRevision(opened, found);
    const saved = { templateName, body, isOn, updatedAt: ctx.clock.now() };
    const kindsOn = db
      .selectDistinct({ kind: t.kind })
      .from(t)
      .where(and(eq(t.merchantId, merchantId), t.isOn))
      .orderBy(t.kind);
    await Promise.all([
      db
        .insert(t)
        .values({ merchantId, kind, language, ...saved })
        .onConflictDoUpdate({ target: [t.merchantId, t.kind, t.language], set: saved }),
      db
        .update(merchants)
        .set({ noticeKinds: sql`array${kindsOn}` })
        .where(eq(merchants.id, merchantId)),
      auditStaff(tx, ctx, 'messages.template', { kind: 'merchant', id: merchantId }, { before, after }),
      announceChange(tx, 'messages'),
    ]);
  });
  return { revision: revisionOf(after) };
}

/** Applies from the next message on, including queued ones. */
export async function setQuietHours(ctx: StaffContext, { quietHours }: { quietHours: QuietHours | null }) {
  await withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const { merchantId, db } = tx;
    const before = columnsOf((await lockMerchant(tx)).quietHours);
    const after = columnsOf(quietHours);
    if (before.quietFrom === after.quietFrom && before.quietUntil === after.quietUntil) return;
    const change = { before, after };
    await Promise.all([
      db.update(merchants).set(after).where(eq(merchants.id, merchantId)),
      auditStaff(tx, ctx, 'messages.quietHours', { kind: 'merchant', id: merchantId }, change),
      announceChange(tx, 'messages'),
    ]);
  });
}

const columnsOf = (quietHours: QuietHours | null) => ({
  quietFrom: quietHours?.from ?? null,
  quietUntil: quietHours?.until ?? null,
});
