import { productName } from '../product';
import { Badge } from '../ui/badge';
import { Link } from '../ui/link';

const link = 'rounded-sm underline-offset-4 hover:text-ink hover:underline';

export function SiteFooter({ environment }: { environment: 'sandbox' | 'production' }) {
  return (
    <footer className="mt-auto border-t border-line">
      <div className="mx-auto flex max-w-7xl flex-wrap items-center justify-between gap-x-8 gap-y-3 px-5 py-8 text-sm text-muted sm:px-8">
        <p className="flex items-center gap-3">
          {productName}
          {environment === 'sandbox' ? <Badge>Sandbox</Badge> : null}
        </p>
        <nav aria-label="Footer" className="flex flex-wrap gap-x-6 gap-y-2">
          <Link href="/docs" className={link}>
            Documentation
          </Link>
          <Link href="/docs/reference" className={link}>
            API reference
          </Link>
          <a href="/api/openapi.json" className={link}>
            OpenAPI document
          </a>
          <Link href="/sign-in" className={link}>
            Sign in
          </Link>
        </nav>
      </div>
    </footer>
  );
}
