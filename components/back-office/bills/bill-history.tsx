import { useTranslations } from 'next-intl';
import { Link } from '../../ui/link';
import { Section } from '../../ui/section';
import { useFormat } from '../state/format';
import type { BillStory } from './types';

type Change = BillStory['changes'][number];

const known = [
  'open',
  'update',
  'close',
  'overpaid',
  'settleOverpaid',
  'reopen',
  'void',
  'refundPayment',
  'releasePayment',
] as const;

/** What the till, staff and diners did with a bill, oldest first. */
export function BillHistory({ changes }: Pick<BillStory, 'changes'>) {
  const t = useTranslations('bills');
  const { time } = useFormat();
  const nameOf = useActorName();
  if (changes.length === 0) return null;
  return (
    <Section title={t('history')}>
      <ol className="flex flex-col gap-3 border-l-2 border-line pl-4 text-sm">
        {changes.map((change) => (
          <li key={`${change.at} ${change.action} ${change.redemption?.uid ?? change.saleUid ?? ''}`}>
            <p className="font-medium wrap-anywhere">
              <What change={change} />
            </p>
            {change.details.reason ? <p className="wrap-anywhere">{change.details.reason}</p> : null}
            <p className="text-muted wrap-anywhere">{t('by', { time: time(change.at), name: nameOf(change) })}</p>
          </li>
        ))}
      </ol>
    </Section>
  );
}

function What({ change: { action, details, redemption, saleUid } }: { change: Change }) {
  const t = useTranslations('bills');
  const { money } = useFormat();
  const { total = 0, amount = 0, pointsTaken: points = 0 } = details;
  if (redemption) {
    const kind = action === 'redemption.redeem' ? 'redeemed' : 'takenBack';
    const voucher = redemption.voucherName;
    return (
      <Link href={`/transactions/${redemption.uid}`} className="rounded underline underline-offset-2">
        {t(`changes.${kind}.${redemption.type}`, {
          amount: money(amount),
          voucher: voucher ?? '',
          isNamed: String(voucher !== null),
        })}
      </Link>
    );
  }
  if (saleUid) {
    return (
      <Link href={`/transactions/${saleUid}`} className="rounded underline underline-offset-2">
        {t(action === 'sale.record' ? 'changes.sold' : 'changes.saleVoided', { total: money(total) })}
      </Link>
    );
  }
  const name = known.find((one) => action === `bill.${one}`);
  return name ? t(`changes.${name}`, { total: money(total), amount: money(amount), points }) : action;
}

/** Names the actor. For a redemption, also names its customer, unless someone else took it back. */
function useActorName() {
  const t = useTranslations();
  return ({ action, by, redemption }: Change) => {
    if (!redemption) return by ?? t('bills.someone');
    if (action === 'redemption.takeBack' && by) return by;
    return [by ?? t('transactions.dinersPhone'), redemption.customerName].filter(Boolean).join(', ');
  };
}
