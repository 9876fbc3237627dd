import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { verbatim } from '@/server/domain/kernel/say';
import { useSentence } from '../../messages/use-sentence';
import { Link } from '../../ui/link';
import { useFormat } from '../state/format';
import { isLate, type TransactionDetail } from './transaction-words';

const endings = { diner: 'voidedByDiner', refund: 'voidedByRefund', dispute: 'voidedByDispute' } as const;

/** Says why a transaction does not count (declined, or voided by whom and why), and that a till sent it late. */
export function TransactionNotice({ one }: { one: TransactionDetail }) {
  const t = useTranslations('transactions');
  const tCounter = useTranslations('counter');
  const format = useFormat();
  const sentenceText = useSentence();
  const by = one.void?.by;
  return (
    <>
      {one.void && by && !one.refundedTo ? (
        <Notice look="bg-danger-tint text-danger" title={t('voidedTitle', { time: format.dateTime(one.void.at) })}>
          <p>
            {'name' in by
              ? t(by.kind === 'staff' ? 'voidedByStaff' : 'voidedByKey', { name: by.name })
              : t(endings[by.kind])}
          </p>
          {one.void.reason ? <p>{t('voidedBecause', { reason: one.void.reason })}</p> : null}
          {one.pointsShortfall > 0 ? <p>{t('owed', { count: one.pointsShortfall })}</p> : null}
          {one.type === null ? <p>{t('unseenText')}</p> : null}
        </Notice>
      ) : null}
      {one.refundedTo ? (
        <RefundNotice
          title={tCounter('refundedToTitle', { amount: format.money(one.refundedTo.amount) })}
          uid={one.refundedTo.uid}
          link={tCounter('seeRest')}
        />
      ) : null}
      {one.refusal ? (
        <Notice look="bg-caution-tint text-caution" title={t('refusedTitle')}>
          <p>{sentenceText(one.refusal.sentence ?? verbatim(one.refusal.message))}</p>
        </Notice>
      ) : null}
      {isLate(one) ? (
        <Notice look="bg-tint" title={t('datedBackTitle', { time: format.dateTime(one.occurredAt) })}>
          <p>{t('datedBackText', { time: format.dateTime(one.createdAt) })}</p>
        </Notice>
      ) : null}
    </>
  );
}

function RefundNotice({ title, uid, link }: { title: string; uid: string; link: string }) {
  return (
    <Notice look="bg-tint" title={title}>
      <Link href={`/transactions/${uid}`} className="w-fit rounded underline underline-offset-4">
        {link}
      </Link>
    </Notice>
  );
}

function Notice({ look, title, children }: { look: string; title: string; children: ReactNode }) {
  return (
    <div className={`rounded-xl px-5 py-4 text-sm ${look}`}>
      <p className="font-semibold">{title}</p>
      <div className="mt-0.5 flex flex-col gap-0.5 wrap-anywhere">{children}</div>
    </div>
  );
}
