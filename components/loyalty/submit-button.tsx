'use client';

import { Button } from '../ui/button';
import { SpinnerIcon } from '../ui/icons';
import { useIsInBrowser } from '../ui/use-is-in-browser';
import { useLoyalty } from './loyalty-context';

/**
 * Sends its form. A thumb can be quicker than the page's script: the browser would send the form by itself then, and what
 * was typed would be gone. The label has an element of its own: a browser that translates moves bare texts, and the spinner
 * is put before it.
 */
export function SubmitButton({ isBusy, children }: { isBusy: boolean; children: string }) {
  const { words } = useLoyalty();
  const isInBrowser = useIsInBrowser();
  return (
    <Button type="submit" busy={isBusy} disabled={!isInBrowser} className="w-full" suppressHydrationWarning>
      {isBusy ? <SpinnerIcon /> : null}
      <span>{isBusy ? words.sending : children}</span>
    </Button>
  );
}
