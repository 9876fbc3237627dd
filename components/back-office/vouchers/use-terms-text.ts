import { useTranslations } from 'next-intl';
import { isForItems, isPercentage } from '@/server/domain/kernel/voucher-units';
import type { CampaignInput } from '@/server/domain/vouchers';
import { useFormat } from '../state/format';

/** Returns a short text for a campaign's discount. */
export function useTermsText(): (terms: Pick<CampaignInput, 'unit' | 'value' | 'maxUnits'>) => string {
  const t = useTranslations('vouchers');
  const { money, percent } = useFormat();
  return ({ unit, value, maxUnits: count }) => {
    if (isForItems(unit) && isPercentage(unit) && value === 10_000) return t('freeItems', { count });
    return t(`units.${unit}.terms`, { value: isPercentage(unit) ? percent(value) : money(value), count });
  };
}
