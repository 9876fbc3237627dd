import type { Row } from 'postgres';
import { withMerchant } from '@/db/client';
import { auditStaff } from '../core/audit';
import { announce } from '../core/changes';
import { checkRevision, revisionOf } from '../core/revision';
import { lockMerchant } from '../merchants/lock';
import type { StaffContext } from '../staff/context';
import { defaultBodies, defaultName } from './default-templates';
import {
  type MessageLanguage,
  messageLanguage,
  type NoticeKind,
  noticeKind,
  type QuietHours,
  type TemplateInput,
} from './schemas';

/** As the merchant worded it; what nobody has worded yet, as we suggest it, and off. */
function toTemplate(kind: NoticeKind, language: MessageLanguage, row: Row | undefined) {
  const template: TemplateInput = row
    ? { kind, language, templateName: row.template_name, body: row.body, isOn: row.is_on }
    : { kind, language, templateName: defaultName(kind), body: defaultBodies[kind][language], isOn: false };
  return { ...template, revision: revisionOf(template) };
}

/** The merchant's templates, of every kind and language. */
export async function getTemplates({ db, merchant }: StaffContext) {
  const rows = await withMerchant(
    db,
    merchant.id,
    ({ merchantId, sql }) => sql`
      select kind, language, template_name, body, is_on from message_templates where merchant_id = ${merchantId}`,
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

/** Errors: `edited_meanwhile`, `invalid_request` for a placeholder that such a message has not. */
export async function saveTemplate(
  ctx: StaffContext,
  { revision: opened, ...input }: TemplateInput & { revision: string },
): Promise<{ revision: string }> {
  const { kind, language, templateName, body, isOn } = input;
  const after = { kind, language, templateName, body, isOn };
  await withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const { merchantId, sql } = tx;
    await lockMerchant(tx);
    const [row] = await sql`
      select template_name, body, is_on from message_templates
      where merchant_id = ${merchantId} and kind = ${kind} and language = ${language}`;
    const { revision: found, ...before } = toTemplate(kind, language, row);
    checkRevision(opened, found);
    const now = ctx.clock.now();
    await Promise.all([
      sql`
        insert into message_templates (merchant_id, kind, language, template_name, body, is_on, updated_at)
        values (${merchantId}, ${kind}, ${language}, ${templateName}, ${body}, ${isOn}, ${now})
        on conflict (merchant_id, kind, language) do update set template_name = excluded.template_name,
          body = excluded.body, is_on = excluded.is_on, updated_at = excluded.updated_at`,
      sql`
        update merchants set notice_kinds = array(
          select distinct kind from message_templates where merchant_id = ${merchantId} and is_on order by kind)
        where id = ${merchantId}`,
      auditStaff(tx, ctx, 'messages.template', { kind: 'merchant', id: merchantId }, { before, after }),
      announce(tx, 'messages'),
    ]);
  });
  return { revision: revisionOf(after) };
}

/** They hold from the next message on, also for those that wait. */
export async function setQuietHours(ctx: StaffContext, { quietHours }: { quietHours: QuietHours | null }) {
  await withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const { merchantId, sql } = tx;
    const row = await lockMerchant(tx, 'quiet_from, quiet_until');
    const from = quietHours?.from ?? null;
    const until = quietHours?.until ?? null;
    if (row.quiet_from === from && row.quiet_until === until) return;
    const change = {
      before: { quietFrom: row.quiet_from, quietUntil: row.quiet_until },
      after: { quietFrom: from, quietUntil: until },
    };
    await Promise.all([
      sql`update merchants set quiet_from = ${from}, quiet_until = ${until} where id = ${merchantId}`,
      auditStaff(tx, ctx, 'messages.quietHours', { kind: 'merchant', id: merchantId }, change),
      announce(tx, 'messages'),
    ]);
  });
}
