import { useTranslations } from 'next-intl';
import { Button } from '../../ui/button';
import { Link } from '../../ui/link';
import { useFormat } from '../state/format';
import type { StaffCashOut, StaffTopUp } from './types';

/** What was recorded: the new balance and the receipt. */
export function Receipt({ done: { uid, answer }, onClose }: { done: StaffTopUp | StaffCashOut; onClose: () => void }) {
  const t = useTranslations('counter');
  const tCommon = useTranslations('common');
  const { money } = useFormat();
  return (
    <div className="flex flex-col gap-5">
      <p role="status" className="font-medium">
        {t('newBalance', { amount: money(answer.storedValue.balance) })}
      </p>
      <section aria-label={t('receipt')}>
        <pre className="w-fit max-w-full rounded-lg bg-tint px-3 py-3 font-mono text-[0.625rem]/4.5 whitespace-pre-wrap wrap-anywhere sm:px-4 sm:text-xs/5">
          {answer.printText.trimEnd()}
        </pre>
      </section>
      <div className="flex flex-wrap items-center gap-x-5 gap-y-3">
        <Button onClick={onClose}>{tCommon('done')}</Button>
        <Link href={`/transactions/${uid}`} className="rounded underline underline-offset-4">
          {t('seeTransaction')}
        </Link>
      </div>
    </div>
  );
}
