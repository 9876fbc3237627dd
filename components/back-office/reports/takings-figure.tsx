import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { useFormat } from '../state/format';
import { Figure } from './figure';

/** What takings are of, with the fields of their counts. */
const measures = {
  sales: { type: 'sale', gross: 'grossSales', count: 'grossSaleCount', words: 'saleCount' },
  topUps: { type: 'topUp', gross: 'grossTopUps', count: 'grossTopUpCount', words: 'topUpCount' },
  redemptions: {
    type: 'redeemStoredValue',
    gross: 'grossRedemptions',
    count: 'grossRedemptionCount',
    words: 'redemptionCount',
  },
  discount: { type: 'redeemVoucher', gross: 'grossDiscount', count: 'grossVoucherCount', words: 'voucherCount' },
} as const;
export type Measure = keyof typeof measures;

type TakingsOf<One extends Measure> = Record<One | (typeof measures)[One]['gross' | 'count'], number>;

interface TakingsFigureProps<One extends Measure> {
  measure: One;
  takings: TakingsOf<One>;
  /** The days, which the lists behind the figures show. */
  from: string;
  to: string;
  storeId?: string | undefined;
  note: ReactNode;
  href?: string;
}

/** Net takings, with the gross amount and what was voided or refunded of it. */
export function TakingsFigure<One extends Measure>(props: TakingsFigureProps<One>) {
  const { measure, from, to, storeId, note, href } = props;
  const t = useTranslations('reports');
  const { money } = useFormat();
  const { type, gross, count, words } = measures[measure];
  const takings = props.takings as Record<string, number>;
  const [net = 0, grossAmount = 0] = [takings[measure], takings[gross]];
  const ofStore = storeId === undefined ? '' : `&store=${storeId}`;
  return (
    <Figure
      figure={measure}
      value={money(net)}
      note={note}
      {...(href !== undefined && { href })}
      parts={[
        {
          name: t('gross', { count: t(words, { count: takings[count] ?? 0 }) }),
          value: money(grossAmount),
          href: `/transactions?type=${type}&from=${from}&until=${to}${ofStore}`,
        },
        {
          name: t('takenBack'),
          value: money(net - grossAmount),
          href: `/reports?report=voids&period=custom&from=${from}&until=${to}${ofStore}`,
        },
      ]}
    />
  );
}
