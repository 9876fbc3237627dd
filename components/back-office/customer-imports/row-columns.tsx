import { useTranslations } from 'next-intl';
import type { ImportField } from '@/server/domain/customer-imports';
import { importField, isWarning } from '@/server/domain/customer-imports/schemas';
import { Badge } from '../../ui/badge';
import type { Column } from '../../ui/data-table';
import { useFormat } from '../state/format';
import type { PreviewedRow } from './types';

/** Columns for a row of a file: its number, its problems, and the mapped cells. */
export function useRowColumns(fields: readonly ImportField[] = importField.options): Column<PreviewedRow>[] {
  const t = useTranslations('customers');
  const fieldLabel = useFieldLabel();
  const { number } = useFormat();
  return [
    { id: 'row', header: t('row'), cell: ({ rowNumber }) => number(rowNumber) },
    {
      id: 'problem',
      header: t('problem'),
      cell: ({ problems }) =>
        problems.length === 0 ? (
          <span className="text-muted">{t('fine')}</span>
        ) : (
          <span className="inline-flex flex-wrap gap-1 max-sm:justify-end">
            {problems.every(isWarning) ? <span className="text-muted">{t('fine')}</span> : null}
            {problems.map((problem) => (
              <Badge key={problem} tone={isWarning(problem) ? 'neutral' : 'caution'}>
                {t(`problemNames.${problem}`)}
              </Badge>
            ))}
          </span>
        ),
    },
    ...fields.map((field) => ({
      id: field,
      header: fieldLabel(field),
      cell: ({ values }: PreviewedRow) => values[field] || <span className="text-muted">–</span>,
    })),
  ];
}

/** The names of the fields that a file's columns can hold. */
export function useFieldLabel() {
  const t = useTranslations('customers');
  return (field: ImportField) => (field === 'expiresOn' ? t('openingExpiry') : t(field));
}
