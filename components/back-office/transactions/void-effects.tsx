import { ArrowRight } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { Badge } from '../../ui/badge';
import { Link } from '../../ui/link';
import { ScrollRegion } from '../../ui/scroll-region';
import { useFormat } from '../state/format';
import { useTransactionWords, type VoidPreview } from './transaction-words';

type Previewed = VoidPreview['transactions'][number];

const outcomes = {
  voided: { word: 'toVoid', tone: 'neutral' },
  alreadyVoided: { word: 'alreadyVoided', tone: 'neutral' },
  blocked: { word: 'inTheWay', tone: 'danger' },
} as const;

/** The effects on each transaction, and on balances and vouchers. */
export function VoidEffects({ preview }: { preview: VoidPreview }) {
  const t = useTranslations('transactions');
  const isBlocked = preview.transactions.some(({ outcome }) => outcome === 'blocked');
  return (
    <div className="flex flex-col gap-5 text-sm">
      <ScrollRegion label={t('title')} className="max-h-60 rounded-xl border border-line">
        <ul className="divide-y divide-line">
          {preview.transactions.map((one) => (
            <Item key={one.uid} {...one} />
          ))}
        </ul>
      </ScrollRegion>
      {isBlocked ? null : <Changes {...preview} />}
    </div>
  );
}

function Item(one: Previewed) {
  const t = useTranslations('transactions');
  const format = useFormat();
  const words = useTransactionWords();
  const { word, tone } = outcomes[one.outcome];
  return (
    <li className="px-4 py-3">
      <div className="flex items-start justify-between gap-3">
        <p className="min-w-0 font-medium">
          {words.type(one.type)} <span className="font-normal">{words.amount(one) ?? words.balance(one)}</span>
          <span className="block text-xs font-normal text-muted wrap-anywhere">
            {[one.transactionId, one.customer?.name, one.store?.name].filter(Boolean).join(' · ')}
          </span>
        </p>
        <Badge tone={tone}>{t(word)}</Badge>
      </div>
      {one.pointsShortfall > 0 && one.outcome === 'voided' ? (
        <p className="mt-1.5 text-caution">{t('willBeOwed', { count: one.pointsShortfall })}</p>
      ) : null}
      {one.expiredValue > 0 && one.outcome === 'voided' ? (
        <p className="mt-1.5 text-caution">{t('comesBackExpired', { value: format.money(one.expiredValue) })}</p>
      ) : null}
      {one.expiredPoints > 0 && one.outcome === 'voided' ? (
        <p className="mt-1.5 text-caution">{t('comesBackExpired', { value: words.points(one.expiredPoints) })}</p>
      ) : null}
      {one.blocking ? <Reason {...one.blocking} /> : null}
    </li>
  );
}

function Reason({ code, spentBy }: NonNullable<Previewed['blocking']>) {
  const t = useTranslations('transactions');
  const words = useTransactionWords();
  if (code === 'not_voidable') return <p className="mt-1.5 text-danger">{t('blockedExpiry')}</p>;
  if (code === 'customer_merged') return <p className="mt-1.5 text-danger">{t('blockedMerged')}</p>;
  return (
    <div className="mt-1.5">
      <p className="text-danger">{t('blockedSpent')}</p>
      <ul className="mt-1 flex flex-col gap-1">
        {spentBy.map(({ uid, type, transactionId, storeCode }) => (
          <li key={uid}>
            <Link href={`/transactions/${uid}`} className="rounded font-medium underline underline-offset-4">
              {words.type(type)}
            </Link>{' '}
            <span className="text-muted wrap-anywhere">{[transactionId, storeCode].filter(Boolean).join(' · ')}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Changes({ customers, vouchers }: VoidPreview) {
  const t = useTranslations('transactions');
  const format = useFormat();
  const words = useTransactionWords();
  const becomes = { usable: 'voucherUsable', expired: 'voucherExpired', cancelled: 'voucherCancelled' } as const;
  return (
    <section aria-label={t('effects')}>
      <h3 className="font-semibold">{t('effects')}</h3>
      {customers.length + vouchers.length === 0 ? <p className="mt-1 text-muted">{t('effectNone')}</p> : null}
      {customers.map(({ customerId, name, before, after }) => (
        <div key={customerId} className="mt-2">
          <p>{name}</p>
          <dl className="mt-1 flex flex-col gap-1">
            {(['principal', 'bonus', 'points'] as const)
              .filter((part) => before[part] !== after[part])
              .map((part) => {
                const print = part === 'points' ? words.points : format.money;
                return (
                  <div key={part} className="flex justify-between gap-4">
                    <dt className="text-muted">{t(`parts.${part}`)}</dt>
                    <dd className="flex items-center gap-2 tabular-nums">
                      <span className="text-muted">{print(before[part])}</span>
                      <ArrowRight className="size-3.5 text-muted" role="img" aria-label="→" />
                      <span className="font-medium">{print(after[part])}</span>
                    </dd>
                  </div>
                );
              })}
          </dl>
        </div>
      ))}
      {vouchers.length > 0 ? (
        <ul className="mt-2 flex flex-col gap-1">
          {vouchers.map(({ voucherCode: code, campaignName: campaign, becomes: state }) => (
            <li key={code}>{t(becomes[state], { code, campaign })}</li>
          ))}
        </ul>
      ) : null}
    </section>
  );
}
