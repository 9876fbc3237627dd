import { cartLimits } from './cart/cart';
import { MinusIcon, PlusIcon } from './icons';
import { useSpeech } from './table-context';

interface StepperProps {
  quantity: number;
  /** The name of the counted item, for screen readers. */
  name: string;
  min: number;
  max?: number;
  onChange: (quantity: number) => void;
}

/** A quantity, with buttons for one more and one less. A button keeps the focus even at a limit. */
export function Stepper({ quantity, name, min, max = cartLimits.quantity, onChange }: StepperProps) {
  const { words } = useSpeech();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset has a look of its own
    <div
      role="group"
      aria-label={`${words.quantity}${words.colon}${name}`}
      className="flex items-center rounded-full border border-edge"
    >
      <button
        type="button"
        className="round-button"
        aria-label={words.less}
        aria-disabled={quantity <= min}
        onClick={() => quantity > min && onChange(quantity - 1)}
      >
        <MinusIcon />
      </button>
      <output className="min-w-6 text-center font-medium tabular-nums">{quantity}</output>
      <button
        type="button"
        className="round-button"
        aria-label={words.more}
        aria-disabled={quantity >= max}
        onClick={() => quantity < max && onChange(quantity + 1)}
      >
        <PlusIcon />
      </button>
    </div>
  );
}
