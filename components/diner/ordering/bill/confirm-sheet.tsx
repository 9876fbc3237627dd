import { type FormEvent, useId, useRef, useState } from 'react';
import { parseAmount } from '@/components/form/parse-amount';
import { minorDigits } from '@/server/domain/kernel/money';
import { fillText } from '../../words';
import { Sheet } from '../sheet';
import { useSpeech } from '../table-context';
import { AccountLink } from './account-link';
import { useBillPage } from './bill-context';
import { AmountField, TextField } from './fields';
import type { Choice } from './use-redeem';
import { useTask } from './use-task';

interface ConfirmSheetProps {
  choice: Choice;
  /** The most that can be taken from the balance, if the diner chooses the amount; null otherwise. */
  most: number | null;
  hasPin: boolean;
  redeem: (choice: Choice, pin?: string) => Promise<number>;
  /** Called when the PIN turns out to be required. */
  onPinAsked: () => void;
  onDone: (amount: number) => void;
  onClose: () => void;
}

/** Asks for what a redemption needs: the amount and the PIN. */
export function ConfirmSheet({ choice, most, hasPin, redeem, onPinAsked, onDone, onClose }: ConfirmSheetProps) {
  const { words, table } = useBillPage();
  const { money } = useSpeech();
  const formId = useId();
  const [typed, setTyped] = useState('');
  const [pin, setPin] = useState('');
  const [isShown, setShown] = useState(false);
  const [isChecked, setChecked] = useState(false);
  const { isBusy, refusal, run } = useTask();
  const pinField = useRef<HTMLInputElement>(null);
  const amountField = useRef<HTMLInputElement>(null);
  const read = typed === '' ? choice.amount : parseAmount(typed, minorDigits(table.merchant.currency));
  const amount = read !== null && read > 0 && read <= (most ?? choice.amount) ? read : null;
  const isPinWhole = !hasPin || /^\d{4}$/.test(pin);
  const isPinRefused = refusal?.reason === 'pin_invalid';
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    if (amount === null) return amountField.current?.focus();
    if (!isPinWhole) return pinField.current?.focus();
    const chosen: Choice = most === null ? choice : { ...choice, amount, what: { kind: 'storedValue', amount } };
    const refused = await run(async () => onDone(await redeem(chosen, hasPin ? pin : undefined)));
    if (refused?.reason === 'pin_required') onPinAsked();
    if (refused?.reason === 'pin_invalid') {
      setPin('');
      pinField.current?.focus();
    }
  };
  return (
    <Sheet
      title={hasPin ? words.confirmTitle : words.amountTitle}
      warning={null}
      onClose={onClose}
      footer={
        <div className="sheet-footer">
          <button
            type="submit"
            form={formId}
            className="primary-button grow justify-center"
            aria-disabled={isBusy || undefined}
          >
            {fillText(words.confirm, { amount: money(amount ?? choice.amount) })}
          </button>
        </div>
      }
    >
      <form id={formId} onSubmit={submit} noValidate className="space-y-4 px-5 pt-2 pb-6 sm:px-6">
        {most === null ? (
          <p className="flex justify-between gap-4">
            <span className="wrap-anywhere">{choice.name}</span>
            <span className="shrink-0 font-medium tabular-nums">−{money(choice.amount)}</span>
          </p>
        ) : (
          <AmountField
            ref={amountField}
            label={words.amount}
            placeholder={money(most)}
            value={typed}
            onType={setTyped}
            error={isChecked && amount === null ? fillText(words.amountWrong, { most: money(most) }) : null}
          />
        )}
        {hasPin ? (
          <>
            <TextField
              ref={pinField}
              label={words.pin}
              type={isShown ? 'text' : 'password'}
              inputMode="numeric"
              autoComplete="off"
              maxLength={4}
              value={pin}
              onType={(text) => setPin(text.replace(/\D/g, ''))}
              error={isPinRefused ? refusal.text : isChecked && !isPinWhole ? words.pinMissing : null}
            />
            <label className="option">
              <input type="checkbox" checked={isShown} onChange={({ target }) => setShown(target.checked)} />
              <span>{words.showPin}</span>
            </label>
          </>
        ) : null}
        <div role="alert">
          {refusal && !isPinRefused && !(hasPin && refusal.reason === 'pin_required') ? (
            <p className="font-medium text-danger">{refusal.text}</p>
          ) : null}
        </div>
        {hasPin ? (
          <AccountLink
            to="pin"
            text={refusal?.reason === 'pin_locked' ? words.newPin : words.forgotPin}
            className="text-button text-accent"
          />
        ) : null}
      </form>
    </Sheet>
  );
}
