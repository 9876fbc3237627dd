import type { inferRouterOutputs } from '@trpc/server';
import { useTranslations } from 'next-intl';
import type { StaffRouter } from '@/server/trpc/staff/router';
import { useFormat } from '../state/format';

export type AuditRow = inferRouterOutputs<StaffRouter>['auditLog']['list']['items'][number];

/** The types with an amount of money. */
const moneyTypes: AuditRow['voided'][number]['type'][] = ['topUp', 'cashOut', 'redeemStoredValue', 'sale'];

const refundAction = 'transactions.refundPart';

/** Texts for the log's codes. A code without a text is shown as it is, so that nothing is hidden. */
export function useAuditWords() {
  const t = useTranslations('auditLog');
  const tAll = useTranslations();
  const { money } = useFormat();
  const wordsOf = (key: string, code: string) => (t.has(key as never) ? t(key as never) : code);
  return {
    action: (code: string): string => wordsOf(`actions.${code}`, code),
    actor: ({ kind, name }: AuditRow['actor']): string => {
      if (kind === 'service') return t('service');
      if (kind === 'diner') return t('diner');
      if (kind === 'apiKey') return name === null ? t('someKey') : t('key', { name });
      return name ?? t('formerStaff');
    },
    /** The subject with its name: the current one or, for a deleted item, the one in its entry. */
    subject: ({
      subject: { kind, id, name },
      action,
      before,
      after,
    }: Pick<AuditRow, 'subject' | 'before' | 'after'> & { action?: string }): string => {
      // A partial refund voids what it replaces, which is no matter of its reader.
      const words = wordsOf(action === refundAction ? 'subjects.refund' : `subjects.${kind}`, kind);
      const task = `automations.tasks.${id}.title`;
      if (kind === 'automation' && tAll.has(task as never)) return `${words} ${tAll(task as never)}`;
      const file = `auditLog.files.${id}`;
      if (kind === 'export' && tAll.has(file as never)) return `${words} ${tAll(file as never)}`;
      const known = name ?? before?.name ?? after?.name;
      return kind === 'merchant' || typeof known !== 'string' ? words : `${words} ${known}`;
    },
    /** A voided transaction: `Top-up of $50.00, Mei Tan`. */
    transaction: ({ type, amount, customerName }: AuditRow['voided'][number]): string => {
      const name = tAll(`transactions.types.${type ?? 'unseen'}`);
      const moved = amount === null || !moneyTypes.includes(type) ? null : money(amount);
      return [[name, moved].filter(Boolean).join(' '), customerName].filter(Boolean).join(' – ');
    },
  };
}
