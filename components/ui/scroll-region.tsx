import type { ReactNode } from 'react';
import { classNames } from './class-names';

interface ScrollRegionProps {
  /** What is in it, for screen readers. */
  label: string;
  /** How much room it has. */
  className?: string;
  children: ReactNode;
}

/** What scrolls within itself, by keyboard as well. A group, and no landmark: it is part of something that is one. */
export function ScrollRegion({ label, className, children }: ScrollRegionProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: Safari gives what scrolls no focus by itself
    <fieldset tabIndex={0} aria-label={label} className={classNames('scroll-fade min-w-0 overflow-auto', className)}>
      {children}
    </fieldset>
  );
}
