import type { ReactNode } from 'react';
import { classNames } from './class-names';

interface ScrollRegionProps {
  /** The label for screen readers. */
  label: string;
  /** The classes for its size. */
  className?: string;
  children: ReactNode;
}

/** A scrollable area, also by keyboard. It is a group, not a landmark, because it is part of one. */
export function ScrollRegion({ label, className, children }: ScrollRegionProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: Safari gives what scrolls no focus by itself
    <fieldset tabIndex={0} aria-label={label} className={classNames('scroll-fade min-w-0 overflow-auto', className)}>
      {children}
    </fieldset>
  );
}
