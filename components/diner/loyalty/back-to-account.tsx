'use client';

import { classNames } from '@/components/ui/class-names';
import { Link } from '../../ui/link';
import { useLoyalty } from './loyalty-context';

/** A link back to the account, large enough for a thumb. */
export function BackToAccount({ className }: { className?: string }) {
  const { merchant, words } = useLoyalty();
  return (
    <Link
      href={`/loyalty/${merchant.id}`}
      className={classNames(
        'inline-flex min-h-11 items-center rounded-md font-medium text-accent underline underline-offset-4',
        className,
      )}
    >
      {words.backToAccount}
    </Link>
  );
}
