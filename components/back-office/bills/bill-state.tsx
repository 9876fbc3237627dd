import { useTranslations } from 'next-intl';
import { Badge, type Tone } from '../../ui/badge';
import { useFormat } from '../state/format';
import type { ListedBill } from './types';

const tones = {
  open: 'neutral',
  paying: 'caution',
  paid: 'good',
  closed: 'neutral',
  void: 'neutral',
} as const satisfies Record<string, Tone>;

/** A bill's state, the amount that diners are paying now, whether it was reopened, any overpayment, and what was missing at its end. */
export function BillState({
  bill,
}: {
  bill: Pick<ListedBill, 'state' | 'held' | 'overpaid' | 'unsettled' | 'reopenedAt'>;
}) {
  const t = useTranslations('bills');
  const { money } = useFormat();
  const { held, overpaid, unsettled, reopenedAt } = bill;
  const state = bill.state === 'open' && held > 0 ? 'paying' : bill.state;
  return (
    <span className="inline-flex flex-wrap gap-1.5">
      <Badge tone={tones[state]}>{t(`states.${state}`, { amount: money(held) })}</Badge>
      {reopenedAt === null ? null : <Badge tone="neutral">{t('reopened')}</Badge>}
      {overpaid > 0 ? <Badge tone="danger">{t('overpaid', { amount: money(overpaid) })}</Badge> : null}
      {unsettled > 0 ? <Badge tone="caution">{t('unsettled', { amount: money(unsettled) })}</Badge> : null}
    </span>
  );
}
