import { useTranslations } from 'next-intl';
import type { CampaignInput } from '@/server/domain/vouchers';
import { useFormat } from '../state/format';

/** Returns a short text for a campaign's discount. */
export function useTermsText(): (terms: Pick<CampaignInput, 'unit' | 'value' | 'maxUnits'>) => string {
  const t = useTranslations('vouchers');
  const { money, percent } = useFormat();
  return ({ unit, value, maxUnits: count }) => {
    switch (unit) {
      case 'BillDollarValue':
        return t('offBill', { discount: money(value) });
      case 'BillDollarPercentage':
        return t('offBill', { discount: percent(value) });
      case 'ItemDollarValue':
        return t('offItems', { discount: money(value), count });
      default:
        return value === 10_000 ? t('freeItems', { count }) : t('offItems', { discount: percent(value), count });
    }
  };
}
