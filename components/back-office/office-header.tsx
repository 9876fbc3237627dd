import Link from 'next/link';
import { Mark } from '../site/mark';
import { SignOutButton } from './sign-out-button';

const sections = [
  { href: '/settings', label: 'Settings' },
  { href: '/messages', label: 'Messages' },
  { href: '/docs', label: 'API reference' },
];

interface OfficeHeaderProps {
  /** Null when the person works for no merchant any more. */
  merchantName: string | null;
}

/** The frame of every signed-in screen; sections of the office join the navigation as they are built. */
export function OfficeHeader({ merchantName }: OfficeHeaderProps) {
  return (
    <header className="sticky top-0 z-20 border-b border-line bg-page/90 backdrop-blur-md">
      <div className="mx-auto flex h-16 max-w-6xl items-center justify-between gap-4 px-5 sm:px-8">
        <Link href="/home" className="flex min-w-0 items-center gap-2.5 rounded-md font-semibold tracking-tight">
          <Mark className="size-7 shrink-0" />
          <span className="truncate">{merchantName ?? 'Back office'}</span>
        </Link>
        <div className="flex shrink-0 items-center gap-2 sm:gap-4">
          <nav
            aria-label="Back office"
            className="max-sm:absolute max-sm:inset-x-0 max-sm:top-16 max-sm:flex max-sm:gap-1 max-sm:overflow-x-auto max-sm:border-b max-sm:border-line max-sm:bg-page max-sm:px-3"
          >
            {sections.map(({ href, label }) => (
              <Link
                key={href}
                href={href}
                className="rounded-md px-2 py-2 text-sm font-medium text-muted transition-colors hover:text-ink"
              >
                {label}
              </Link>
            ))}
          </nav>
          <SignOutButton />
        </div>
      </div>
    </header>
  );
}
