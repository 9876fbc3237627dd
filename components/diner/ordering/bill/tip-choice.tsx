import { mostTip } from '@/server/domain/bills/rules';
import { fillText } from '../../words';
import { useSpeech } from '../table-context';
import { useBillPage } from './bill-context';
import { AmountField } from './fields';
import { type PaymentForm, type Tip, tipOf } from './shares';

interface TipChoiceProps {
  /** The percentages that the merchant offers. */
  percentages: readonly number[];
  currency: string;
  chosen: PaymentForm;
  /** The amount that the percentages are applied to. */
  amount: number;
  /** Null if the typed tip is invalid. */
  tip: number | null;
  isChecked: boolean;
  onChange: (chosen: PaymentForm) => void;
}

/** Chooses no tip, one of the merchant's percentages, or another amount. */
export function TipChoice({ percentages, currency, chosen, amount, tip, isChecked, onChange }: TipChoiceProps) {
  const { words } = useBillPage();
  const { language, money } = useSpeech();
  const percent = new Intl.NumberFormat(language, { style: 'percent' });
  const labelOf = (one: Tip): [string, string | null] => {
    if (one === 'other') return [words.tipOther, null];
    if (one === 0) return [words.tipNone, null];
    return [percent.format(one / 100), money(tipOf(amount, one, currency))];
  };
  return (
    <fieldset className="min-w-0">
      <legend className="font-semibold tracking-[-0.01em]">{words.tip}</legend>
      <div className="mt-2 grid grid-cols-[repeat(auto-fill,minmax(5.5rem,1fr))] gap-2">
        {([0, ...percentages, 'other'] as const).map((one) => {
          const [label, price] = labelOf(one);
          return (
            <label key={one} className="tip-choice">
              <input
                type="radio"
                name="tip"
                className="absolute inset-0 cursor-pointer appearance-none rounded-xl outline-none"
                checked={chosen.tip === one}
                onChange={() => onChange({ ...chosen, tip: one })}
              />
              <span className="font-medium">{label}</span>
              {price === null ? null : <span className="text-sm tabular-nums">{price}</span>}
            </label>
          );
        })}
      </div>
      {chosen.tip === 'other' ? (
        <div className="mt-3">
          <AmountField
            label={words.tipAmount}
            value={chosen.tipAmount}
            onType={(typed) => onChange({ ...chosen, tipAmount: typed })}
            error={
              isChecked && tip === null
                ? fillText(words.tipWrong, { most: money(mostTip(amount, { tipPercentages: percentages })) })
                : null
            }
          />
        </div>
      ) : null}
    </fieldset>
  );
}
