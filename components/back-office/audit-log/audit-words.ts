import { useQuery } from '@tanstack/react-query';
import type { inferRouterOutputs } from '@trpc/server';
import { useTranslations } from 'next-intl';
import type { StaffRouter } from '@/server/trpc/staff/router';
import { useTRPC } from '../shell/trpc';
import { labelOf } from './field-labels';

export type AuditRow = inferRouterOutputs<StaffRouter>['auditLog']['list']['items'][number];

/** Turns `maxDiscount` into `max discount`. */
const splitCamelCase = (name: string) => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/** Texts for the log's codes. A code without a text is shown as it is, so that nothing is hidden. */
export function useAuditWords() {
  const t = useTranslations('auditLog');
  const tAll = useTranslations();
  const trpc = useTRPC();
  const { data } = useQuery(trpc.stores.list.queryOptions());
  const wordsOf = (key: string, code: string) => (t.has(key as never) ? t(key as never) : code);
  return {
    action: (code: string): string => wordsOf(`actions.${code}`, code),
    field: (subjectKind: string, name: string): string => {
      const label = labelOf(subjectKind, name);
      return label ? tAll(label) : splitCamelCase(name);
    },
    actor: ({ kind, name }: AuditRow['actor']): string => {
      if (kind === 'service') return t('service');
      if (kind === 'diner') return t('diner');
      if (kind === 'apiKey') return name === null ? t('someKey') : t('key', { name });
      return name ?? t('formerStaff');
    },
    /** With its name where known, else with the end of its id. */
    subject: ({ kind, id }: AuditRow['subject']): string => {
      const store = kind === 'store' && data?.stores.find(({ storeId }) => storeId === id);
      const words = wordsOf(`subjects.${kind}`, kind);
      // A merchant has only one of these.
      return kind === 'merchant' || kind === 'menu' ? words : `${words} ${store ? store.name : `…${id.slice(-6)}`}`;
    },
  };
}
