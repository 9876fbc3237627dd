import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import type { ImportMapping } from '@/server/domain/customer-imports';
import { amountField } from '@/server/domain/customer-imports/schemas';
import { useLanguage } from '../../messages/use-language';
import { type Column, DataTable } from '../../ui/data-table';
import { Section } from '../../ui/section';
import { Skeleton } from '../../ui/skeleton';
import { ExportLink } from '../lists/data-list';
import { useTRPC } from '../office/trpc';
import { useFormat } from '../state/format';
import { LoadError } from '../state/load-error';
import { Count } from './import-progress';
import type { ImportTotalsAnswer } from './types';

/** The totals of the whole file, in customers and balances, before the import starts. */
export function ImportTotals({ importId, mapping }: { importId: string; mapping: ImportMapping }) {
  const t = useTranslations('customers');
  const { number } = useFormat();
  const language = useLanguage();
  const { data, error, refetch } = useQuery({
    ...useTRPC().customerImports.totals.queryOptions({ importId, mapping }, { trpc: { abortOnUnmount: true } }),
  });
  return (
    <Section
      title={t('importTotals')}
      description={`${t('importTotalsText')} ${t('rehearseText')}`}
      actions={
        <ExportLink
          list="customer-import-rehearsal"
          filters={{ importId, language, mapping: JSON.stringify(mapping) }}
          label={t('rehearse')}
        />
      }
    >
      {data ? (
        <div className="flex flex-col gap-5">
          <dl className="grid grid-cols-2 gap-x-8 gap-y-3 sm:grid-cols-3">
            <Count term={t('readyCount')} value={number(data.ready)} />
            {mapping.addsToKnown ? <Count term={t('addedCount')} value={number(data.added)} /> : null}
            <Count term={t('existingCount')} value={number(data.existing)} />
            {data.twins > 0 ? <Count term={t('twinCount')} value={number(data.twins)} /> : null}
            <Count term={t('problemCount')} value={number(data.skipped)} />
            {data.warnings > 0 ? <Count term={t('warningCount')} value={number(data.warnings)} /> : null}
          </dl>
          <OpeningTotals totals={data} mapping={mapping} />
        </div>
      ) : error ? (
        <LoadError error={error} onRetry={refetch} />
      ) : (
        <Skeleton label={t('counting')} />
      )}
    </Section>
  );
}

type Part = (typeof amountField.options)[number] | 'vouchers';

/** The balances that come in, of new and of existing customers. */
function OpeningTotals({ totals, mapping }: { totals: ImportTotalsAnswer; mapping: ImportMapping }) {
  const t = useTranslations('customers');
  const { money, number } = useFormat();
  const parts: Part[] = amountField.options.filter((part) => mapping.columns[part] !== undefined);
  if (mapping.columns.voucher !== undefined) parts.push('vouchers');
  if (parts.length === 0) return null;
  const openings = { ...totals.openings, vouchers: totals.vouchers };
  const addedOpenings = { ...totals.addedOpenings, vouchers: totals.addedVouchers };
  const column = (id: string, header: string, amountOf: (part: Part) => number): Column<Part> => ({
    id,
    header,
    align: 'end',
    cell: (part) => (part === 'points' || part === 'vouchers' ? number(amountOf(part)) : money(amountOf(part))),
  });
  return (
    <DataTable
      caption={t('openings')}
      rows={parts}
      rowKey={(part) => part}
      columns={[
        { id: 'part', header: t('part'), cell: (part) => t(part) },
        column('new', t('ofNewCustomers'), (part) => openings[part]),
        ...(mapping.addsToKnown
          ? [
              column('known', t('ofKnownCustomers'), (part) => addedOpenings[part]),
              column('total', t('inTotal'), (part) => openings[part] + addedOpenings[part]),
            ]
          : []),
      ]}
    />
  );
}
