import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Landmark } from 'lucide-react';
import { useLocale, useTranslations } from 'next-intl';
import type { Payout } from '@/server/domain/card-payments';
import { formatMoneyIn } from '@/server/domain/kernel/money';
import { Badge, type Tone } from '../../ui/badge';
import { EmptyState } from '../../ui/empty-state';
import { Section } from '../../ui/section';
import { useOffice } from '../office/office';
import { useTRPC } from '../office/trpc';
import { useFormat } from '../state/format';
import { Loaded } from '../state/loaded';
import { Figure, Figures } from './figure';
import type { FigureKey } from './figure-name';
import { FigureName } from './figure-name';
import { type FigureColumn, FigureTable } from './figure-table';

const sums = ['net', 'gross', 'fees', 'refunds', 'disputes', 'other'] as const;
type Sum = (typeof sums)[number];

const figures: Record<Sum, FigureKey> = {
  gross: 'payoutGross',
  fees: 'payoutFees',
  refunds: 'payoutRefunds',
  disputes: 'payoutDisputes',
  other: 'payoutOther',
  net: 'payoutNet',
};

/** Card money as Stripe paid it out to the bank, by payout. */
export function PayoutsReport(days: { from: string; to: string }) {
  const t = useTranslations('reports');
  const { money } = useFormat();
  const { currency } = useOffice().merchant;
  const columns = usePayoutColumns();
  const query = useQuery({ ...useTRPC().reports.payouts.queryOptions(days), placeholderData: keepPreviousData });
  return (
    <Loaded query={query}>
      {({ takesCards, payouts }) => {
        if (payouts.length === 0)
          return (
            <EmptyState icon={Landmark} title={t(takesCards ? 'payouts.noneTitle' : 'payouts.offTitle')}>
              {t(takesCards ? 'payouts.noneText' : 'payouts.offText')}
            </EmptyState>
          );
        const total = addUp(payouts);
        // Amounts of several currencies have no sum.
        const isOneCurrency = payouts.every((one) => one.currency === currency);
        return (
          <>
            {isOneCurrency ? (
              <Figures>
                {(['net', 'gross', 'fees'] as const).map((sum) => (
                  <Figure key={sum} figure={figures[sum]} value={money(total[sum])} />
                ))}
                <Figure figure="payoutReturned" value={money(total.refunds + total.disputes)} />
              </Figures>
            ) : null}
            <Section title={t('payouts.title')} description={t('payouts.hint')}>
              <FigureTable
                caption={t('payouts.title')}
                rows={payouts}
                rowKey={({ payoutId }) => payoutId}
                total={isOneCurrency ? total : undefined}
                columns={columns}
              />
            </Section>
          </>
        );
      }}
    </Loaded>
  );
}

type Row = Omit<Payout, 'arrivesOn'> & { arrivesOn: string | null };

function addUp(payouts: Payout[]): Row {
  const add = (key: Sum | 'payments') => payouts.reduce((sum, one) => sum + one[key], 0);
  const [first] = payouts;
  return {
    payoutId: '',
    arrivesOn: null,
    status: 'paid',
    currency: first?.currency ?? '',
    payments: add('payments'),
    gross: add('gross'),
    fees: add('fees'),
    refunds: add('refunds'),
    disputes: add('disputes'),
    other: add('other'),
    net: add('net'),
  };
}

function usePayoutColumns(): FigureColumn<Row>[] {
  const t = useTranslations('reports');
  const locale = useLocale();
  const { calendarDate, number } = useFormat();
  return [
    {
      id: 'arrives',
      header: t('payouts.arrives'),
      cell: ({ arrivesOn, status, payoutId }) =>
        arrivesOn === null ? (
          t('total')
        ) : (
          <span className="inline-flex flex-wrap items-center gap-x-2 gap-y-1">
            {calendarDate(arrivesOn)}
            <Status status={status} />
            <span className="w-full text-xs text-muted max-sm:hidden">{payoutId}</span>
          </span>
        ),
    },
    { id: 'payments', header: t('breakdown.payments'), isWideOnly: true, cell: ({ payments }) => number(payments) },
    ...sums.map((sum) => ({
      id: sum,
      header: <FigureName figure={figures[sum]} />,
      cell: (row: Row) => formatMoneyIn(locale, row[sum], row.currency, undefined),
    })),
  ];
}

const tones = {
  pending: 'neutral',
  in_transit: 'neutral',
  failed: 'danger',
  canceled: 'danger',
} as const satisfies Record<string, Tone>;

/** Nothing for a payout that has arrived. A status that we do not know is shown as Stripe names it. */
function Status({ status }: { status: string }) {
  const t = useTranslations('reports.payouts.status');
  if (status === 'paid') return null;
  const known = Object.keys(tones).find((one): one is keyof typeof tones => one === status);
  return <Badge tone={known ? tones[known] : 'neutral'}>{known ? t(known) : status}</Badge>;
}
