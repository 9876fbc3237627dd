import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import type { ReportInput } from '@/server/domain/reports';
import { Section } from '../../ui/section';
import { useOffice } from '../office/office';
import { useTRPC } from '../office/trpc';
import { useFormat } from '../state/format';
import { Loaded } from '../state/loaded';
import { hoursBetween } from './hours';

const weekdays = [1, 2, 3, 4, 5, 6, 7];
/** The share of the accent in the darkest cell. More would make its text hard to read. */
const maxTint = 45;

/** Sales by weekday and hour: the hours of the business day below each other, the more was sold the darker. */
export function BusyHours(filters: ReportInput) {
  const t = useTranslations('reports');
  const { dayStartsAt } = useOffice().merchant;
  const { money, moneyRough, weekday, weekdayShort } = useFormat();
  const query = useQuery({
    ...useTRPC().reports.busyHours.queryOptions(filters),
    placeholderData: keepPreviousData,
  });
  if (query.data?.length === 0) return null;
  return (
    <Section title={t('breakdown.busyHours')} description={t('breakdown.busyHoursHint')}>
      <Loaded query={query}>
        {(cells) => {
          const most = Math.max(1, ...cells.map(({ amount }) => amount));
          const amountAt = new Map(cells.map((cell) => [`${cell.weekday} ${cell.hour}`, cell.amount]));
          const hours = hoursBetween(
            cells.map(({ hour }) => hour),
            dayStartsAt,
          );
          return (
            <table className="w-full table-fixed border-separate border-spacing-0.5 text-center text-xs tabular-nums">
              <caption className="sr-only">{t('breakdown.busyHours')}</caption>
              <thead>
                <tr>
                  <th scope="col" className="w-12 pr-2 text-left font-medium text-muted">
                    {t('breakdown.column.hour')}
                  </th>
                  {weekdays.map((day) => (
                    <th key={day} scope="col" className="py-1 font-medium text-muted">
                      <abbr title={weekday(day)} className="no-underline">
                        {weekdayShort(day)}
                      </abbr>
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {hours.map((hour) => (
                  <tr key={hour}>
                    <th scope="row" className="pr-2 text-left font-normal text-muted">
                      {hour}:00
                    </th>
                    {weekdays.map((day) => {
                      const amount = amountAt.get(`${day} ${hour}`) ?? 0;
                      const tint = Math.round((Math.max(0, amount) / most) * maxTint);
                      return (
                        <td
                          key={day}
                          title={money(amount)}
                          className="h-7 rounded"
                          style={{ background: `color-mix(in oklab, var(--accent) ${tint}%, var(--tint))` }}
                        >
                          {amount === 0 ? '' : moneyRough(amount)}
                        </td>
                      );
                    })}
                  </tr>
                ))}
              </tbody>
            </table>
          );
        }}
      </Loaded>
    </Section>
  );
}
