import { ArrowRight } from 'lucide-react';
import { useTranslations } from 'next-intl';
import type { Column } from '../../ui/data-table';
import { useFormat } from '../state/format';
import { changesOf } from './audit-changes';
import { useAuditValues } from './audit-values';
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
      cell: (row) => (
        <button
          type="button"
          title={t('onlyThis')}
          onClick={() => onSubject(row.subject)}
          className="rounded text-left wrap-anywhere underline decoration-edge/50 underline-offset-4 hover:decoration-ink"
        >
          {words.subject(row)}
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

const shownAtOnce = 3;

interface ChangeProps {
  row: AuditRow;
  words: ReturnType<typeof useAuditWords>;
}

/** A change with its old and new values. Shows the first few, and the others on demand. */
function Change({ row, words }: ChangeProps) {
  const t = useTranslations('auditLog');
  const { print, label } = useAuditValues();
  const { before, after, changed } = changesOf(row);
  const voided = row.voided.length === 0 ? [] : [<Voided key="voided" voided={row.voided} words={words} />];
  const fields = changed.map((name) => {
    const [was, is] = [print(row, name, before[name], before), print(row, name, after[name], after)];
    const isBoth = name in before && name in after;
    const shown = isBoth ? { was, is } : { is: name in after ? is : was };
    return <Field key={name} label={label(row.subject.kind, name)} {...shown} />;
  });
  const parts = [...voided, ...fields];
  if (parts.length === 0) return <span className="text-muted">–</span>;
  const rest = parts.slice(shownAtOnce);
  return (
    <div className="flex flex-col gap-0.5 text-sm">
      {parts.slice(0, shownAtOnce)}
      {rest.length > 0 ? (
        <details>
          <summary className="cursor-pointer rounded text-muted hover:text-ink">
            {t('moreFields', { count: rest.length })}
          </summary>
          <div className="mt-0.5 flex flex-col gap-0.5">{rest}</div>
        </details>
      ) : null}
    </div>
  );
}

function Voided({ voided, words }: Pick<AuditRow, 'voided'> & Pick<ChangeProps, 'words'>) {
  const t = useTranslations('auditLog');
  return (
    <span className="wrap-anywhere">
      <span className="text-muted">{t('transactions')}</span> {voided.map(words.transaction).join(', ')}
    </span>
  );
}

interface FieldProps {
  label: string;
  /** Undefined if there is only one value; null if there was none before. */
  was?: string | null;
  is: string | null;
}

function Field({ label, was, is }: FieldProps) {
  const t = useTranslations('auditLog');
  return (
    <span className="wrap-anywhere">
      <span className="text-muted">{label}</span>{' '}
      {was === undefined || was === is ? null : (
        <>
          {was ?? t('nothing')} <ArrowRight className="inline size-3.5 text-muted" role="img" aria-label="→" />{' '}
        </>
      )}
      {is ?? t('nothing')}
    </span>
  );
}
