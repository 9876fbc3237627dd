import { ArrowRight } from 'lucide-react';
import { useTranslations } from 'next-intl';
import type { Column } from '../../ui/data-table';
import { useFormat } from '../format';
import { type AuditRow, useAuditWords } from './audit-words';

/** `onSubject`: to see what else was done to it. */
export function useAuditColumns(onSubject: (subject: AuditRow['subject']) => void): Column<AuditRow>[] {
  const t = useTranslations('auditLog');
  const words = useAuditWords();
  const format = useFormat();
  return [
    {
      id: 'action',
      header: t('action'),
      cell: ({ action }) => <span className="font-medium">{words.action(action)}</span>,
    },
    { id: 'actor', header: t('actor'), cell: ({ actor }) => words.actor(actor) },
    {
      id: 'subject',
      header: t('subject'),
      cell: ({ subject }) => (
        <button
          type="button"
          title={t('onlyThis')}
          onClick={() => onSubject(subject)}
          className="rounded text-left underline decoration-edge/50 underline-offset-4 hover:decoration-ink max-sm:text-right"
        >
          {words.subject(subject)}
        </button>
      ),
    },
    { id: 'change', header: t('change'), cell: (row) => <Change {...row} /> },
    {
      id: 'time',
      header: t('time'),
      cell: ({ createdAt }) => <span className="sm:whitespace-nowrap">{format.dateTime(createdAt)}</span>,
    },
  ];
}

const shownAtOnce = 2;

/** Each field that changed, as it was and as it is; the first two at once. */
function Change({ before, after }: AuditRow) {
  const t = useTranslations('auditLog');
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])].filter(
    (name) => JSON.stringify(before?.[name] ?? null) !== JSON.stringify(after?.[name] ?? null),
  );
  if (names.length === 0) return <span className="text-muted">–</span>;
  const field = (name: string) => <Field key={name} name={name} before={before?.[name]} after={after?.[name]} />;
  const rest = names.slice(shownAtOnce);
  return (
    <div className="flex flex-col gap-0.5 text-sm">
      {names.slice(0, shownAtOnce).map(field)}
      {rest.length > 0 ? (
        <details>
          <summary className="cursor-pointer rounded text-muted hover:text-ink">
            {t('moreFields', { count: rest.length })}
          </summary>
          <div className="mt-0.5 flex flex-col gap-0.5">{rest.map(field)}</div>
        </details>
      ) : null}
    </div>
  );
}

/** Null where there is no value. */
function print(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  if (Array.isArray(value)) return value.map(print).join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function Field({ name, before, after }: { name: string; before: unknown; after: unknown }) {
  const t = useTranslations('auditLog');
  const [was, is] = [print(before), print(after)];
  return (
    <span className="wrap-anywhere">
      <span className="text-muted">{name}</span>{' '}
      {before === undefined ? null : (
        <>
          {was ?? t('nothing')} <ArrowRight className="inline size-3.5 text-muted" role="img" aria-label="→" />{' '}
        </>
      )}
      {is ?? t('nothing')}
    </span>
  );
}
