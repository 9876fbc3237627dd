'use client';

import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import type { CampaignInput } from '@/server/domain/vouchers';
import { Facts } from '../../ui/facts';
import { useTRPC } from '../office/trpc';
import { useFormat } from '../state/format';
import { useTermsText } from './use-terms-text';

/** A campaign's discount terms, read-only. */
export function TermsFacts({ terms }: { terms: CampaignInput }) {
  const t = useTranslations('vouchers');
  const tCommon = useTranslations('common');
  const { money } = useFormat();
  const termsText = useTermsText();
  const { plus, minSpend, maxDiscount, stackable } = terms;
  const { data: known = [] } = useQuery({
    ...useTRPC().campaigns.pluChoices.queryOptions({ plus }),
    enabled: plus.length > 0,
  });
  const nameOf = (plu: string) => {
    const name = known.find((item) => item.plu === plu)?.name;
    return name ? `${name} (${plu})` : plu;
  };
  return (
    <Facts
      items={[
        { term: t('discount'), value: termsText(terms) },
        ...(plus.length > 0 ? [{ term: t('items'), value: plus.map(nameOf).join(', ') }] : []),
        { term: t('minSpend'), value: minSpend > 0 ? money(minSpend) : tCommon('none') },
        { term: t('maxDiscount'), value: maxDiscount === null ? tCommon('none') : money(maxDiscount) },
        { term: t('stackable'), value: stackable ? tCommon('yes') : tCommon('no') },
      ]}
    />
  );
}
