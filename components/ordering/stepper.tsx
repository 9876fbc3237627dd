import { cartLimits } from './cart/cart';
import { MinusIcon, PlusIcon } from './icons';
import { useSpeech } from './table-context';

interface StepperProps {
  quantity: number;
  /** What it counts, for those who do not see it. */
  name: string;
  least: number;
  onChange: (quantity: number) => void;
}

/** How many, by one more or less. At its ends a button stays where the focus is. */
export function Stepper({ quantity, name, least, onChange }: StepperProps) {
  const { words } = useSpeech();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset has a look of its own
    <div
      role="group"
      aria-label={`${words.quantity}: ${name}`}
      className="flex items-center rounded-full border border-edge"
    >
      <button
        type="button"
        className="round-button"
        aria-label={words.less}
        aria-disabled={quantity <= least}
        onClick={() => quantity > least && onChange(quantity - 1)}
      >
        <MinusIcon />
      </button>
      <output className="min-w-6 text-center font-medium tabular-nums">{quantity}</output>
      <button
        type="button"
        className="round-button"
        aria-label={words.more}
        aria-disabled={quantity >= cartLimits.quantity}
        onClick={() => quantity < cartLimits.quantity && onChange(quantity + 1)}
      >
        <PlusIcon />
      </button>
    </div>
  );
}
