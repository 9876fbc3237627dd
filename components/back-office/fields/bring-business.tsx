'use client';

import { useTranslations } from 'next-intl';
import { Link } from '../../ui/link';

/** A link to the page that leads from another system's export to the first sale here. */
export function BringBusiness() {
  const t = useTranslations('tableFiles');
  return (
    <p className="mt-4 text-sm">
      <Link
        href="/docs/bring-your-business"
        className="rounded font-medium text-ink underline decoration-edge underline-offset-4 hover:decoration-ink"
      >
        {t('bringBusiness')}
      </Link>
    </p>
  );
}
