import { type InputHTMLAttributes, type Ref, useId } from 'react';
import { minorDigits } from '@/server/domain/kernel/money';
import { useBillPage } from './bill-context';

interface FieldProps {
  ref?: Ref<HTMLInputElement>;
  label: string;
  value: string;
  error: string | null;
  onType: (text: string) => void;
}

type TextFieldProps = FieldProps &
  Pick<InputHTMLAttributes<HTMLInputElement>, 'type' | 'inputMode' | 'autoComplete' | 'maxLength' | 'placeholder'>;

/** A text box with its label and error. */
export function TextField({ label, error, onType, ...input }: TextFieldProps) {
  const id = useId();
  return (
    <div>
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      <input
        {...input}
        id={id}
        aria-invalid={error !== null}
        aria-describedby={`${id}-error`}
        onChange={({ target }) => onType(target.value)}
        className="text-box mt-1.5 tabular-nums aria-invalid:border-danger"
      />
      <p id={`${id}-error`} role="alert" className="mt-1 text-sm font-medium text-danger empty:hidden">
        {error}
      </p>
    </div>
  );
}

/** An amount in the merchant's currency, as typed. */
export function AmountField(props: FieldProps & { placeholder?: string }) {
  const { table } = useBillPage();
  return (
    <TextField
      {...props}
      inputMode={minorDigits(table.merchant.currency) > 0 ? 'decimal' : 'numeric'}
      autoComplete="off"
      maxLength={20}
    />
  );
}
