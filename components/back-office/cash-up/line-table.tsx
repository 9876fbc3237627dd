import type { inferRouterOutputs } from '@trpc/server';
import { useTranslations } from 'next-intl';
import type { StaffRouter } from '@/server/trpc/staff/router';
import { Badge } from '../../ui/badge';
import { type FigureColumn, FigureTable } from '../reports/figure-table';
import { useFormat } from '../state/format';

type Line = inferRouterOutputs<StaffRouter>['cashUps']['day']['lines'][number];
type Shown = Pick<Line, 'userId' | 'name' | 'kind' | 'method' | 'count' | 'amount'> &
  Partial<Pick<Line, 'storeId' | 'storeName'>> & { isLate?: boolean };

interface LineTableProps {
  caption: string;
  lines: Shown[];
  hasStores?: boolean;
}

/** One row for each person, kind and payment method. On phones, kind, method and store stand below the person. */
export function LineTable({ caption, lines, hasStores = false }: LineTableProps) {
  const t = useTranslations('cashUp');
  const tCounter = useTranslations('counter');
  const tCommon = useTranslations('common');
  const { movement, number } = useFormat();
  const storeOf = ({ storeName }: Shown) => storeName ?? '–';
  const kindOf = ({ kind }: Shown) => t(`kinds.${kind}`);
  const methodOf = ({ method }: Shown) => (method === null ? t('noMoney') : tCounter(`paymentMethods.${method}`));
  const text = { isText: true, isWideOnly: true };
  const columns: FigureColumn<Shown>[] = [
    {
      id: 'person',
      header: t('person'),
      cell: (row) => (
        <>
          <span className="inline-flex flex-wrap items-center gap-2">
            {row.name}
            {row.isLate ? <Badge tone="caution">{t('late')}</Badge> : null}
          </span>
          <span className="block text-xs text-muted sm:hidden">
            {[kindOf(row), methodOf(row), ...(hasStores && row.storeName ? [row.storeName] : [])].join(' · ')}
          </span>
        </>
      ),
    },
    ...(hasStores ? [{ id: 'store', header: tCommon('store'), cell: storeOf, ...text }] : []),
    { id: 'kind', header: tCommon('type'), cell: kindOf, ...text },
    { id: 'method', header: tCounter('paidWith'), cell: methodOf, ...text },
    { id: 'count', header: t('count'), cell: ({ count }) => number(count) },
    { id: 'amount', header: t('amount'), cell: ({ amount }) => movement(amount) },
  ];
  return (
    <FigureTable
      caption={caption}
      rows={lines}
      rowKey={({ userId, storeId, kind, method, isLate }) => [userId, storeId, kind, method, isLate].join(' ')}
      columns={columns}
    />
  );
}
