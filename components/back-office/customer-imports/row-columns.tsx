import { useTranslations } from 'next-intl';
import type { ImportField } from '@/server/domain/customer-imports';
import { isOfProfile, isWarning } from '@/server/domain/customer-imports/schemas';
import type { Column } from '../../ui/data-table';
import { useFormat } from '../state/format';
import type { PreviewedRow } from './types';

/** Columns for a row of a file: its number, its problems, and the mapped cells. */
export function useRowColumns(fields: readonly ImportField[]): Column<PreviewedRow>[] {
  const t = useTranslations('customers');
  const fieldLabel = useFieldLabel();
  const { number } = useFormat();
  const openings = fields.filter((field) => !isOfProfile(field));
  /** All balances in one column, because a table of all fields would be too wide. */
  const openingsOf = ({ values }: PreviewedRow) => {
    const given = openings.filter((field) => values[field]);
    if (given.length === 0) return <span className="text-muted">–</span>;
    return given.map((field) => (
      <span key={field} className="block">
        <span className="text-muted">{fieldLabel(field)}</span> {values[field]}
      </span>
    ));
  };
  return [
    { id: 'row', header: t('row'), cell: ({ rowNumber }) => number(rowNumber) },
    {
      id: 'problem',
      header: t('problem'),
      cell: ({ problems }) =>
        problems.length === 0 ? (
          <span className="text-muted">{t('fine')}</span>
        ) : (
          <span className="flex flex-col gap-1 wrap-anywhere">
            {problems.every(isWarning) ? <span className="text-muted">{t('fine')}</span> : null}
            {problems.map((problem) => (
              <span key={problem} className={isWarning(problem) ? 'text-muted' : 'font-medium text-caution'}>
                {t(`problemNames.${problem}`)}
              </span>
            ))}
          </span>
        ),
    },
    ...fields.filter(isOfProfile).map((field) => ({
      id: field,
      header: fieldLabel(field),
      cell: ({ values }: PreviewedRow) => values[field] || <span className="text-muted">–</span>,
    })),
    ...(openings.length > 0 ? [{ id: 'openings', header: t('openings'), cell: openingsOf }] : []),
  ];
}

/** The names of the fields that a file's columns can hold. */
export function useFieldLabel() {
  const t = useTranslations('customers');
  return (field: ImportField) =>
    field === 'expiresOn' ? t('openingExpiry') : field === 'voucher' ? t('voucherCampaign') : t(field);
}
