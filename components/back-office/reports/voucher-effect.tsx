import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import type { EffectGroup, Period } from '@/server/domain/reports';
import { Section } from '../../ui/section';
import { useTRPC } from '../office/trpc';
import { useFormat } from '../state/format';
import { Loaded } from '../state/loaded';
import { FigureTable } from './figure-table';

/** Bills with a voucher beside the others, and what an extra visit cost. */
export function VoucherEffect(period: Period) {
  const t = useTranslations('reports');
  const { money, number, percent } = useFormat();
  const query = useQuery({
    ...useTRPC().reports.voucherEffect.queryOptions(period),
    placeholderData: keepPreviousData,
  });
  const share = ({ guests, cameBack }: EffectGroup) =>
    guests === 0 ? '–' : percent(Math.round((cameBack / guests) * 100) * 100);
  return (
    <Section title={t('effect.title')} description={t('effect.hint')}>
      <Loaded query={query} height="h-40">
        {({ withVoucher, without, costPerExtraVisit }) => (
          <>
            <FigureTable
              caption={t('effect.title')}
              rows={[
                { ...withVoucher, key: 'with' as const },
                { ...without, key: 'without' as const },
              ]}
              rowKey={({ key }) => key}
              columns={[
                { id: 'group', header: t('effect.bills'), cell: ({ key }) => t(`effect.${key}`) },
                { id: 'bills', header: t('effect.count'), cell: ({ bills }) => number(bills) },
                {
                  id: 'average',
                  header: t('effect.average'),
                  cell: (group) => (group.average === null ? '–' : money(group.average)),
                },
                {
                  id: 'cameBack',
                  header: t('effect.cameBack'),
                  cell: (group) => (
                    <>
                      {share(group)}
                      <span className="block text-xs text-muted">
                        {t('effect.ofGuests', { count: group.cameBack, all: group.guests })}
                      </span>
                    </>
                  ),
                },
              ]}
            />
            <p className="mt-4 rounded-xl bg-tint px-4 py-3 text-sm">
              {costPerExtraVisit === null
                ? t('effect.noExtra')
                : t.rich('effect.cost', {
                    amount: money(costPerExtraVisit),
                    strong: (text) => <strong className="font-semibold tabular-nums">{text}</strong>,
                  })}
            </p>
          </>
        )}
      </Loaded>
    </Section>
  );
}
