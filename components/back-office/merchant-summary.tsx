import type { ReactNode } from 'react';

function Fact({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div className="border-t border-line py-4">
      <dt className="text-sm text-muted">{term}</dt>
      <dd className="mt-1 font-medium wrap-anywhere">{children}</dd>
    </div>
  );
}

interface MerchantSummaryProps {
  currency: string;
  timeZone: string;
  /** BCP 47, the merchant's own. */
  locale: string;
  person: { name: string; email: string; role: string };
}

const currencyNames = new Intl.DisplayNames('en', { type: 'currency' });
const languageNames = new Intl.DisplayNames('en', { type: 'language' });

export function MerchantSummary({ currency, timeZone, locale, person }: MerchantSummaryProps) {
  return (
    <dl className="grid gap-x-10 sm:grid-cols-2">
      <Fact term="Currency">
        {currencyNames.of(currency)} <span className="font-mono text-sm font-normal text-muted">{currency}</span>
      </Fact>
      <Fact term="Time zone">{timeZone.replaceAll('_', ' ')}</Fact>
      <Fact term="Language and region">{languageNames.of(locale)}</Fact>
      <Fact term="Signed in">
        {person.name} <span className="font-normal text-muted">· {person.role}</span>
        <span className="block text-sm font-normal text-muted">{person.email}</span>
      </Fact>
    </dl>
  );
}
