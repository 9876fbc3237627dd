'use client';

import Link from 'next/link';
import { classNames } from '../ui/class-names';
import { linkLook } from './link-look';
import { useLoyalty } from './loyalty-context';

/** The way back from a screen to what the customer has. */
export function BackToAccount({ className }: { className?: string }) {
  const { merchant, words } = useLoyalty();
  return (
    <Link href={`/loyalty/${merchant.id}`} className={classNames(linkLook, className)}>
      {words.backToAccount}
    </Link>
  );
}
