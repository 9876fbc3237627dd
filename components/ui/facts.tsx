import type { ReactNode } from 'react';

/** Terms and values side by side. An empty value is shown as a dash. */
export function Facts({ items }: { items: { term: string; value: ReactNode }[] }) {
  return (
    <dl className="grid gap-x-8 sm:grid-cols-2">
      {items.map(({ term, value }) => (
        <div key={term} className="border-t border-line py-3 text-sm max-sm:flex max-sm:justify-between max-sm:gap-6">
          <dt className="break-keep text-muted">{term}</dt>
          <dd className="font-medium wrap-anywhere max-sm:text-right sm:mt-0.5">{value ?? '–'}</dd>
        </div>
      ))}
    </dl>
  );
}
