import { useTranslations } from 'next-intl';
import type { BreakdownInput } from '@/server/domain/reports/schemas';
import { paymentNames } from '@/server/domain/reports/wording';
import { useFormat } from '../state/format';

/** Names the parts of a breakdown for people. */
export function usePartName(by: BreakdownInput['by']) {
  const t = useTranslations('reports');
  const { percent, weekday } = useFormat();
  return ({ key, label }: { key: string; label: string }): string => {
    const known = paymentNames.find((name) => name === key);
    if (by === 'payment' && known) return t(`paymentNames.${known}`);
    if (by === 'hour') return `${key}:00 – ${key}:59`;
    if (by === 'weekday') return weekday(Number(key));
    if (by === 'source') return t(`breakdown.sources.${key === 'phone' ? 'phone' : 'staff'}`);
    if (by === 'tax' && key !== '') return percent(Math.round(Number(key) * 100));
    if (by === 'category') return label || t('breakdown.notOnMenu');
    return label || key || t('breakdown.notSent');
  };
}
