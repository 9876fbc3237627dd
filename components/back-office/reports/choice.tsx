import { classNames } from '../../ui/class-names';

interface ChoiceProps<Value extends string> {
  /** For screen readers. */
  label: string;
  value: Value;
  onChange: (value: Value) => void;
  options: { value: Value; label: string }[];
}

/** Chooses one of a few, as buttons next to each other. */
export function Choice<Value extends string>({ label, value, onChange, options }: ChoiceProps<Value>) {
  return (
    <fieldset className="flex flex-wrap gap-1 rounded-xl bg-tint p-1">
      <legend className="sr-only">{label}</legend>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          onClick={() => onChange(option.value)}
          className={classNames(
            'min-h-8 rounded-lg px-3 text-sm font-medium whitespace-nowrap transition-colors',
            option.value === value ? 'bg-surface text-ink shadow-sm' : 'text-muted hover:text-ink',
          )}
        >
          {option.label}
        </button>
      ))}
    </fieldset>
  );
}
