import { useTranslations } from 'next-intl';
import { Section } from '../../ui/section';
import { useFormat } from '../state/format';

/** The outstanding balance of all customers: the paid part and the bonus part. */
export function Outstanding({ principal, bonus }: { principal: number; bonus: number }) {
  const t = useTranslations('home');
  const words = useTranslations('reports');
  const { money } = useFormat();
  return (
    <Section title={t('outstanding')}>
      <p className="text-2xl font-semibold tracking-tight tabular-nums wrap-anywhere sm:text-3xl">
        {money(principal + bonus)}
      </p>
      <dl className="mt-4 text-sm">
        {[
          { term: words('principal'), hint: words('principalHint'), amount: principal },
          { term: words('bonus'), hint: words('bonusHint'), amount: bonus },
        ].map(({ term, hint, amount }) => (
          <div key={term} className="flex items-baseline justify-between gap-4 border-t border-line py-2.5">
            <dt>
              {term} <span className="text-muted">· {hint}</span>
            </dt>
            <dd className="font-medium tabular-nums">{money(amount)}</dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}
