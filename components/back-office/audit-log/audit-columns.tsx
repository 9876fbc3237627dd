import { ArrowRight } from 'lucide-react';
import { useTranslations } from 'next-intl';
import type { Column } from '../../ui/data-table';
import { useFormat } from '../state/format';
import { type AuditRow, useAuditWords } from './audit-words';

/** `onSubject` filters the log by the item of a row. */
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
    { id: 'actor', narrow: 'bare', header: t('actor'), cell: ({ actor }) => words.actor(actor) },
    {
      id: 'subject',
      narrow: 'bare',
      header: t('subject'),
      cell: ({ subject }) => (
        <button
          type="button"
          title={t('onlyThis')}
          onClick={() => onSubject(subject)}
          className="rounded text-left underline decoration-edge/50 underline-offset-4 hover:decoration-ink"
        >
          {words.subject(subject)}
        </button>
      ),
    },
    { id: 'change', narrow: 'bare', header: t('change'), cell: (row) => <Change row={row} words={words} /> },
    {
      id: 'time',
      narrow: 'aside',
      header: t('time'),
      cell: ({ createdAt }) => <span className="sm:whitespace-nowrap">{format.dateTime(createdAt)}</span>,
    },
  ];
}

const shownAtOnce = 2;

interface ChangeProps {
  row: AuditRow;
  words: ReturnType<typeof useAuditWords>;
}

/** The changed fields with their old and new values; the first two at once, the others on demand. */
function Change({ row: { subject, before, after }, words }: ChangeProps) {
  const t = useTranslations('auditLog');
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])].filter(
    (name) => JSON.stringify(before?.[name] ?? null) !== JSON.stringify(after?.[name] ?? null),
  );
  if (names.length === 0) return <span className="text-muted">–</span>;
  const field = (name: string) => (
    <Field key={name} label={words.field(subject.kind, name)} before={before?.[name]} after={after?.[name]} />
  );
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

/** Returns null where there is no value. */
function print(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  if (Array.isArray(value)) return value.map(print).join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

interface FieldProps {
  label: string;
  before: unknown;
  after: unknown;
}

function Field({ label, before, after }: FieldProps) {
  const t = useTranslations('auditLog');
  const [was, is] = [print(before), print(after)];
  return (
    <span className="wrap-anywhere">
      <span className="text-muted">{label}</span>{' '}
      {before === undefined ? null : (
        <>
          {was ?? t('nothing')} <ArrowRight className="inline size-3.5 text-muted" role="img" aria-label="→" />{' '}
        </>
      )}
      {is ?? t('nothing')}
    </span>
  );
}
