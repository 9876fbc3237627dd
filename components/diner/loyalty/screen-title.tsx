'use client';

import { type ReactNode, useEffect, useRef } from 'react';
import { useLoyalty } from './loyalty-context';

/**
 * A screen's heading. A screen that replaces another one focuses its heading, so that it is read out. Amounts keep the
 * server's text, because browsers format them with different spaces and signs.
 */
export function ScreenTitle({ children }: { children: ReactNode }) {
  const { hasBegun } = useLoyalty();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (hasBegun.current) heading.current?.focus();
    hasBegun.current = true;
  }, [hasBegun]);
  return (
    <h1
      ref={heading}
      tabIndex={-1}
      suppressHydrationWarning
      className="text-3xl/tight font-semibold tracking-[-0.03em] wrap-anywhere outline-none [word-break:auto-phrase]"
    >
      {children}
    </h1>
  );
}
