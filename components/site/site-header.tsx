import { ButtonLink } from '../ui/button';
import { Link } from '../ui/link';
import { Wordmark } from './wordmark';

interface SiteHeaderProps {
  current?: 'docs';
  signedIn: boolean;
}

export function SiteHeader({ current, signedIn }: SiteHeaderProps) {
  return (
    <header className="sticky top-0 z-20 border-b border-line bg-page/90 backdrop-blur-md">
      <div className="mx-auto flex h-16 max-w-7xl items-center justify-between gap-4 px-5 sm:px-8">
        <Wordmark />
        <nav aria-label="Site" className="flex items-center gap-1 sm:gap-3">
          <Link
            href="/docs"
            aria-current={current === 'docs' ? 'page' : undefined}
            className="rounded-md px-2.5 py-2 text-sm font-medium text-muted transition-colors hover:text-ink aria-[current=page]:text-ink"
          >
            Documentation
          </Link>
          <ButtonLink href={signedIn ? '/home' : '/sign-in'} size="small">
            {signedIn ? 'Back office' : 'Sign in'}
          </ButtonLink>
        </nav>
      </div>
    </header>
  );
}
