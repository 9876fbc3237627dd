import { useTranslations } from 'next-intl';

/** Names the columns of a file that are not imported. */
export function UnusedColumns({ headings }: { headings: string[] }) {
  const t = useTranslations('customers');
  const named = headings.filter(Boolean);
  if (named.length === 0) return null;
  return (
    <p role="status" className="mt-5 text-sm text-muted wrap-anywhere">
      {t('unusedColumns', { columns: named.join(', ') })}
    </p>
  );
}
