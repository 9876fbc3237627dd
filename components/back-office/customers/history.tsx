'use client';

import { useTranslations } from 'next-intl';
import { parseAsStringLiteral, useQueryState } from 'nuqs';
import { Tabs } from '../../ui/tabs';
import { useIsRole } from '../office/office';
import { GrantList } from './grant-list';
import { CustomerMessages } from './message-list';
import { SaleList } from './sale-list';
import { Timeline } from './timeline';
import { CustomerVouchers } from './voucher-list';

const views = ['timeline', 'vouchers', 'grants', 'sales', 'messages'] as const;
type View = (typeof views)[number];
const lists: Record<View, (props: { customerId: string }) => React.ReactNode> = {
  timeline: Timeline,
  vouchers: CustomerVouchers,
  grants: GrantList,
  sales: SaleList,
  messages: CustomerMessages,
};

/** A customer's activity by kind. Cashiers do not see single credits. */
export function History({ customerId }: { customerId: string }) {
  const t = useTranslations('customers');
  const isManager = useIsRole('owner', 'manager');
  const open = views.filter((view) => isManager || view !== 'grants');
  const [requested, setRequested] = useQueryState('view', parseAsStringLiteral(views));
  const value = open.find((view) => view === requested) ?? 'timeline';
  return (
    <section aria-label={t('history')} className="min-w-0">
      <Tabs
        label={t('history')}
        value={value}
        onChange={(view) => void setRequested(view)}
        tabs={open.map((view) => {
          const List = lists[view];
          return { value: view, label: t(view), panel: <List customerId={customerId} /> };
        })}
      />
    </section>
  );
}
