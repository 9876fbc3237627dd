'use client';

import { Button } from '@/components/ui/button';
import { SpinnerIcon } from '@/components/ui/icons';
import { useIsInBrowser } from '@/components/ui/use-is-in-browser';
import { useLoyalty } from './loyalty-context';

/**
 * Submits its form. Disabled until the page is hydrated, because the browser would submit the form natively and lose
 * what was typed. The label is in its own element: a browser's translation moves bare text nodes, and the spinner is
 * inserted before it.
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
