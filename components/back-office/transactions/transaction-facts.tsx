import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { Facts } from '../../ui/facts';
import { Link } from '../../ui/link';
import { Section } from '../../ui/section';
import { useFormat } from '../state/format';
import { type TransactionDetail, useTransactionWords } from './transaction-words';

interface Fact {
  term: string;
  value: ReactNode;
}

/** The details of a transaction. Unknown ones are omitted. */
export function TransactionFacts({ one }: { one: TransactionDetail }) {
  const t = useTranslations('transactions');
  const tCommon = useTranslations('common');
  const format = useFormat();
  const words = useTransactionWords();
  const own = useTypeFacts(one);
  const isLate = one.occurredAt !== one.createdAt;
  const items: Fact[] = [
    { term: t('customer'), value: one.customer ? <CustomerLink {...one.customer} /> : t('noCustomer') },
    { term: tCommon('store'), value: one.store?.name },
    { term: t('amount'), value: words.amount(one) },
    { term: t('balance'), value: one.customer ? (words.balance(one) ?? t('noChange')) : null },
    ...own,
    { term: t('bill'), value: one.billUid === null ? one.billId : <BillLink uid={one.billUid} billId={one.billId} /> },
    { term: t('receipt'), value: one.receiptNumber },
    { term: t('servedBy'), value: one.staffId },
    { term: t('apiKey'), value: one.apiKeyName },
    { term: t('source'), value: one.isByDiner ? t('dinersPhone') : null },
    { term: t('occurredAt'), value: isLate ? format.dateTime(one.occurredAt) : null },
    { term: t('recordedAt'), value: format.dateTime(one.createdAt) },
  ];
  const known = items.filter(({ value }) => value !== null && value !== undefined);
  return (
    <Section title={t('facts')}>
      <Facts items={known} />
    </Section>
  );
}

const BillLink = ({ uid, billId }: { uid: string; billId: string | null }) => (
  <Link href={`/bills/${uid}`} className="rounded underline underline-offset-4">
    {billId}
  </Link>
);

const CustomerLink = ({ id, name }: { id: string; name: string }) => (
  <Link href={`/customers/${id}`} className="rounded underline underline-offset-4">
    {name}
  </Link>
);

/** Details specific to the type of transaction. */
function useTypeFacts(one: TransactionDetail): Fact[] {
  const { answer, packageName, vouchers, adjustment, taken, entries, refunds } = one;
  const t = useTranslations('transactions');
  const tCommon = useTranslations('common');
  const tCounter = useTranslations('counter');
  const { money, movement, date, dateTime } = useFormat();
  const words = useTransactionWords();
  const issued = vouchers.filter(({ role }) => role === 'issued').map(({ voucherCode }) => voucherCode);
  const others: Fact[] = [
    { term: t('vouchersIssued'), value: issued.length > 0 ? issued.join(', ') : null },
    { term: t('adjustedBy'), value: adjustment?.by },
    { term: tCommon('reason'), value: adjustment?.mergedWith ? null : adjustment?.reason },
    {
      term: t('mergedWith'),
      value: adjustment?.mergedWith ? (
        <CustomerLink id={adjustment.mergedWith.customerId} name={adjustment.mergedWith.name} />
      ) : null,
    },
  ];
  // Not from the response, which after a partial refund is still that of the whole redemption.
  const spentOf = (part: 'principal' | 'bonus') =>
    entries.reduce((sum, entry) => (entry.kind === 'spend' && entry.part === part ? sum - entry.amount : sum), 0);
  switch (answer?.type) {
    case 'topUp':
      return [
        { term: t('package'), value: packageName },
        { term: tCounter('takenBy'), value: taken?.by },
        { term: tCounter('paidWith'), value: taken ? tCounter(`paymentMethods.${taken.paymentMethod}`) : null },
        { term: t('bonus'), value: answer.bonus > 0 ? money(answer.bonus) : null },
        { term: t('bonusUntil'), value: answer.bonusExpiresAt ? date(answer.bonusExpiresAt) : null },
        ...others,
      ];
    case 'cashOut':
      return [
        { term: tCounter('paidOutBy'), value: taken?.by },
        { term: tCounter('paidOutWith'), value: taken ? tCounter(`paymentMethods.${taken.paymentMethod}`) : null },
        { term: t('bonusLapsed'), value: answer.bonusLapsed > 0 ? money(answer.bonusLapsed) : null },
        ...others,
      ];
    case 'redeemStoredValue':
      return [
        {
          term: tCounter('refundTitle'),
          value:
            refunds.length === 0 ? null : (
              <ul>
                {refunds.map(({ amount, at, by, reason }) => (
                  <li key={String(at)}>{[movement(amount), dateTime(at), by, reason].filter(Boolean).join(' · ')}</li>
                ))}
              </ul>
            ),
        },
        { term: tCounter('usedAtFirst'), value: refunds.length === 0 ? null : money(answer.amountRedeemed) },
        { term: t('fromPrincipal'), value: money(spentOf('principal')) },
        { term: t('fromBonus'), value: money(spentOf('bonus')) },
        { term: t('leftToPay'), value: answer.remainingDue > 0 ? money(answer.remainingDue) : null },
        ...others,
      ];
    case 'redeemVoucher': {
      const redeemed = vouchers.find(({ role }) => role === 'redeemed');
      const name = redeemed ? `${answer.voucherCode} (${redeemed.campaignName})` : answer.voucherCode;
      return [
        { term: t('voucher'), value: name },
        { term: t('billAfter'), value: money(answer.billAmountAfter) },
        ...others,
      ];
    }
    case 'redeemPoints':
      return [{ term: t('worth'), value: money(answer.amount) }, ...others];
    case 'sale':
      return [
        { term: t('pointsEarned'), value: answer.customerId ? words.points(answer.pointsEarned) : null },
        ...others,
      ];
    default:
      return others;
  }
}
