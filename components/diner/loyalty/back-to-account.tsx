'use client';

import { classNames } from '@/components/ui/class-names';
import { Link } from '../../ui/link';
import { useLoyalty } from './loyalty-context';

/** Large enough for a thumb. */
const look = 'inline-flex min-h-11 items-center rounded-md font-medium text-accent underline underline-offset-4';

export function BackToAccount({ className }: { className?: string }) {
  const { merchant, words } = useLoyalty();
  return (
    <Link href={`/loyalty/${merchant.id}`} className={classNames(look, className)}>
      {words.backToAccount}
    </Link>
  );
}

/** A full page load, because Next would first fetch the table's page as an app route. */
export function BackToBill({ path }: { path: string }) {
  const { words } = useLoyalty();
  return (
    <a href={path} className={look}>
      {words.backToBill}
    </a>
  );
}
