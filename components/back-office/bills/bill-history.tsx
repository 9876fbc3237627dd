import { useTranslations } from 'next-intl';
import { Section } from '../../ui/section';
import { useFormat } from '../state/format';
import type { BillStory } from './types';

const known = ['open', 'update', 'close', 'void', 'refundPayment'] as const;

/** What the till and staff did with a bill, oldest first. */
export function BillHistory({ changes }: Pick<BillStory, 'changes'>) {
  const t = useTranslations('bills');
  const { money, time } = useFormat();
  if (changes.length === 0) return null;
  return (
    <Section title={t('history')}>
      <ol className="flex flex-col gap-3 border-l-2 border-line pl-4 text-sm">
        {changes.map(({ action, at, by, details: { total, amount, reason } }) => {
          const name = known.find((one) => action === `bill.${one}`);
          return (
            <li key={`${at} ${action}`}>
              <p className="font-medium">
                {name ? t(`changes.${name}`, { total: money(total ?? 0), amount: money(amount ?? 0) }) : action}
              </p>
              {reason ? <p className="wrap-anywhere">{reason}</p> : null}
              <p className="text-muted wrap-anywhere">{t('by', { time: time(at), name: by ?? t('someone') })}</p>
            </li>
          );
        })}
      </ol>
    </Section>
  );
}
