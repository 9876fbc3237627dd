import { useTranslations } from 'next-intl';
import { csvColumns } from '@/server/domain/menu/schemas';
import { Section } from '../../ui/section';
import { Select } from '../../ui/select';
import type { ImportAnswer } from './import-preview';

interface ImportColumnsProps {
  answer: Pick<ImportAnswer, 'headings' | 'columns'>;
  isBusy: boolean;
  onChange: (columns: ImportAnswer['columns']) => void;
}

/** Which column of the file holds which field of an item. */
export function ImportColumns({ answer: { headings, columns }, isBusy, onChange }: ImportColumnsProps) {
  const t = useTranslations('menu');
  const used = Object.values(columns);
  const unused = headings.filter((heading, at) => heading !== '' && !used.includes(at));
  const choose = (column: (typeof csvColumns)[number], value: string) => {
    const { [column]: _, ...others } = columns;
    onChange(value === '' ? others : { ...others, [column]: Number(value) });
  };
  return (
    <Section title={t('importColumnsTitle')} description={t('importColumnsText')}>
      <div className="grid gap-5 sm:grid-cols-2 lg:grid-cols-4">
        {csvColumns.map((column) => (
          <Select
            key={column}
            label={t(`importFields.${column}`)}
            value={String(columns[column] ?? '')}
            disabled={isBusy}
            onChange={({ target }) => choose(column, target.value)}
            options={[
              { value: '', label: t('noColumn') },
              ...headings.map((heading, at) => ({ value: String(at), label: heading || String(at + 1) })),
            ]}
          />
        ))}
      </div>
      {unused.length > 0 ? (
        <p role="status" className="mt-5 text-sm text-muted wrap-anywhere">
          {t('unusedColumns', { columns: unused.join(', ') })}
        </p>
      ) : null}
    </Section>
  );
}
