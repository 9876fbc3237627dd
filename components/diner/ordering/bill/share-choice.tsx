import type { ReactNode } from 'react';
import { cardLimits } from '@/server/domain/kernel/card-currencies';
import { netLines, unitsOf } from '@/server/domain/kernel/net-lines';
import { fillText } from '../../words';
import { Stepper } from '../stepper';
import { Price, useSpeech } from '../table-context';
import { useBillPage } from './bill-context';
import { AmountField } from './fields';
import { equalShare, type PaymentForm, paidUnitsOf, type Share } from './shares';
import type { DinerBill } from './types';

const mostPayers = 20;

interface ShareChoiceProps {
  bill: DinerBill;
  currency: string;
  chosen: PaymentForm;
  /** Null while nothing is chosen, or too much. */
  amount: number | null;
  /** True to show what is missing. */
  isChecked: boolean;
  onChange: (chosen: PaymentForm) => void;
}

/** Chooses all that is left, an equal share, items, or an amount. */
export function ShareChoice({ bill, currency, chosen, amount, isChecked, onChange }: ShareChoiceProps) {
  const { words } = useBillPage();
  const { money } = useSpeech();
  const limits = cardLimits(currency);
  const paidUnits = paidUnitsOf(bill);
  const units = netLines(bill.lines).map(unitsOf);
  const isMissing = isChecked && amount === null;
  const range = { least: money(limits.minimum), most: money(bill.available) };
  const option = (share: Share, label: string, price: number | null, body?: ReactNode) => (
    <div className="py-1">
      <label className="option">
        <input
          type="radio"
          name="share"
          checked={chosen.share === share}
          onChange={() => onChange({ ...chosen, share })}
        />
        <span className="grow">{label}</span>
        {price === null ? null : <Price amount={price} className="shrink-0 tabular-nums" />}
      </label>
      {chosen.share === share && body ? <div className="pb-3 pl-8">{body}</div> : null}
    </div>
  );
  return (
    <fieldset className="min-w-0">
      <legend className="font-semibold tracking-[-0.01em]">{words.payHow}</legend>
      <div className="mt-1 divide-y divide-line">
        {option('all', words.shareAll, bill.available)}
        {option(
          'equal',
          words.shareEqual,
          equalShare(bill, chosen.payers, limits),
          <div className="flex flex-wrap items-center justify-between gap-3">
            <span className="text-[0.9375rem]/6">{words.payers}</span>
            <Stepper
              quantity={chosen.payers}
              name={words.payers}
              min={2}
              max={mostPayers}
              onChange={(payers) => onChange({ ...chosen, payers })}
            />
            <p role="alert" className="w-full text-sm font-medium text-danger empty:hidden">
              {isMissing ? fillText(words.cardRange, range) : null}
            </p>
          </div>,
        )}
        {option(
          'lines',
          words.shareLines,
          chosen.share === 'lines' ? (amount ?? 0) : null,
          <>
            <p className="text-sm text-muted">{words.linesHint}</p>
            <ul className="mt-1">
              {bill.lines.map((line, at) => (
                // What was taken off the bill, and lines below zero, can't be chosen.
                // biome-ignore lint/suspicious/noArrayIndexKey: a bill is replaced as a whole
                <li key={at} className="flex items-center justify-between gap-3 py-1.5" hidden={units[at] === 0}>
                  <span className="min-w-0 grow text-[0.9375rem]/6 wrap-anywhere">{line.name}</span>
                  <Stepper
                    quantity={chosen.units[at] ?? 0}
                    name={line.name}
                    min={0}
                    max={(units[at] ?? 0) - (paidUnits[at] ?? 0)}
                    onChange={(units) =>
                      onChange({
                        ...chosen,
                        units: bill.lines.map((_, n) => (n === at ? units : (chosen.units[n] ?? 0))),
                      })
                    }
                  />
                </li>
              ))}
            </ul>
            <p role="alert" className="text-sm font-medium text-danger">
              {isMissing
                ? chosen.units.some((count) => count > 0)
                  ? fillText(words.cardRange, range)
                  : words.linesNone
                : null}
            </p>
          </>,
        )}
        {option(
          'amount',
          words.shareAmount,
          null,
          <AmountField
            label={words.amount}
            value={chosen.amount}
            onType={(typed) => onChange({ ...chosen, amount: typed })}
            error={isMissing ? fillText(words.cardAmountWrong, range) : null}
          />,
        )}
      </div>
      {bill.available < bill.due ? (
        <p className="mt-1 text-sm text-muted">
          {fillText(words.heldByOthers, { amount: money(bill.due - bill.available) })}
        </p>
      ) : null}
    </fieldset>
  );
}
