import { useTranslations } from 'next-intl';
import { Badge } from '../../ui/badge';
import { Link } from '../../ui/link';
import { Section } from '../../ui/section';
import { useFormat } from '../state/format';
import type { BillStory } from './types';

/** The stored value, vouchers and points on a bill, each with a link to its transaction. */
export function BillRedemptions({ redemptions }: Pick<BillStory, 'redemptions'>) {
  const t = useTranslations();
  const { money, time } = useFormat();
  return (
    <Section title={t('bills.redemptions')}>
      {redemptions.length === 0 ? (
        <p className="text-sm text-muted">{t('bills.noRedemptions')}</p>
      ) : (
        <ul className="divide-y divide-line">
          {redemptions.map(
            ({
              uid,
              transactionId,
              type,
              customerName,
              voucherName,
              amount,
              amountNow,
              isInDiscount,
              status,
              occurredAt,
            }) => (
              <li
                key={transactionId}
                className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1 py-3 text-sm first:pt-0 last:pb-0"
              >
                <span className="min-w-0">
                  <Link href={`/transactions/${uid}`} className="font-medium underline underline-offset-2">
                    {t(`transactions.types.${type}`)}
                  </Link>
                  {voucherName ? <span className="block wrap-anywhere">{voucherName}</span> : null}
                  <span className="mt-0.5 block text-muted wrap-anywhere">
                    {t('bills.by', { time: time(occurredAt), name: customerName })}
                  </span>
                </span>
                <span className="flex flex-wrap items-center justify-end gap-2 tabular-nums">
                  {isInDiscount ? <Badge>{t('bills.inDiscount')}</Badge> : null}
                  {status === 'voided' ? <Badge tone="danger">{t('bills.redemptionVoided')}</Badge> : null}
                  {amountNow !== null && amountNow !== amount ? (
                    <Badge tone="caution">{t('bills.worthNow', { amount: money(amountNow) })}</Badge>
                  ) : null}
                  {money(amount)}
                </span>
              </li>
            ),
          )}
        </ul>
      )}
    </Section>
  );
}
