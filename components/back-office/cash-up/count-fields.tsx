import { useTranslations } from 'next-intl';
import { useWatch } from 'react-hook-form';
import { type ByMethod, paymentMethods } from '@/server/domain/cash-ups/schemas';
import { MoneyField } from '../fields/money-field';
import { useFormat } from '../state/format';

/** What was counted of each payment method, with the difference from what is expected. */
export function CountFields({ expected }: { expected: ByMethod }) {
  const t = useTranslations('cashUp');
  const tCounter = useTranslations('counter');
  const { money } = useFormat();
  return (
    <div className="flex flex-col gap-4 sm:flex-row sm:flex-wrap">
      {paymentMethods.map((method) => (
        <div key={method} className="sm:w-56">
          <MoneyField
            name={`counted.${method}`}
            label={t('countedOf', { method: tCounter(`paymentMethods.${method}`) })}
            hint={t('expected', { amount: money(expected[method]) })}
          />
          <Difference method={method} expected={expected[method]} />
        </div>
      ))}
    </div>
  );
}

function Difference({ method, expected }: { method: keyof ByMethod; expected: number }) {
  const t = useTranslations('cashUp');
  const { movement } = useFormat();
  const counted: unknown = useWatch({ name: `counted.${method}` });
  const difference = typeof counted === 'number' && Number.isSafeInteger(counted) ? counted - expected : 0;
  return (
    <p role="status" className="mt-1 text-sm font-medium text-danger empty:hidden">
      {difference === 0 ? null : t('difference', { amount: movement(difference) })}
    </p>
  );
}
