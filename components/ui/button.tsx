import type { ComponentProps } from 'react';
import { classNames } from './class-names';
import { Link } from './link';

type Variant = 'primary' | 'secondary' | 'quiet' | 'danger';
type Size = 'medium' | 'small';

const base =
  'inline-flex items-center justify-center gap-2 rounded-lg font-medium whitespace-nowrap transition-colors ' +
  'aria-disabled:cursor-default aria-disabled:opacity-60 [&_svg]:shrink-0';

const variants: Record<Variant, string> = {
  primary: 'bg-accent text-on-accent not-aria-disabled:hover:bg-accent-strong',
  secondary: 'border border-edge bg-surface text-ink not-aria-disabled:hover:border-ink',
  danger: 'border border-danger bg-surface text-danger not-aria-disabled:hover:bg-danger-tint',
  quiet: 'text-ink not-aria-disabled:hover:bg-tint',
};

const sizes: Record<Size, string> = {
  medium: 'min-h-11 px-5 text-[0.9375rem]',
  small: 'min-h-9 px-3.5 text-sm',
};

interface Look {
  variant?: Variant;
  size?: Size;
}

function look({ variant = 'primary', size = 'medium' }: Look, className?: string): string {
  return classNames(base, variants[variant], sizes[size], className);
}

/** A busy button keeps its focus and name, but ignores presses. */
export function Button({
  variant,
  size,
  busy = false,
  className,
  onClick,
  ...rest
}: ComponentProps<'button'> & Look & { busy?: boolean }) {
  return (
    <button
      type="button"
      {...rest}
      aria-disabled={busy || undefined}
      onClick={busy ? (event) => event.preventDefault() : onClick}
      className={look({ variant, size }, className)}
    />
  );
}

export function ButtonLink({ variant, size, className, ...rest }: ComponentProps<typeof Link> & Look) {
  return <Link {...rest} className={look({ variant, size }, className)} />;
}
