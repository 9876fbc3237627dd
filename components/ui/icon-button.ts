/** The style of a button with an icon only; it needs an `aria-label`. */
export const iconButtonLook =
  'inline-flex size-10 shrink-0 items-center justify-center rounded-lg text-muted transition-colors hover:bg-tint hover:text-ink ' +
  'aria-disabled:opacity-50 data-disabled:opacity-50';
