import { useTranslations } from 'next-intl';
import { ButtonLink } from '../../ui/button';
import { Section } from '../../ui/section';
import { FigureName } from '../reports/figure-name';
import { useFormat } from '../state/format';

/** The outstanding balance of all customers: the paid part and the bonus part. */
export function Outstanding({ principal, bonus }: { principal: number; bonus: number }) {
  const t = useTranslations('figures');
  const tHome = useTranslations('home');
  const { money } = useFormat();
  return (
    <Section
      title={t('outstanding.name')}
      description={t('outstanding.definition')}
      actions={
        <ButtonLink href="/reports?report=liability" variant="secondary" size="small">
          {tHome('seeReport')}
        </ButtonLink>
      }
    >
      <p className="text-2xl font-semibold tracking-tight tabular-nums wrap-anywhere sm:text-3xl">
        {money(principal + bonus)}
      </p>
      <dl className="mt-4 text-sm">
        {[
          { figure: 'paidBalance', amount: principal } as const,
          { figure: 'bonusBalance', amount: bonus } as const,
        ].map(({ figure, amount }) => (
          <div key={figure} className="flex items-baseline justify-between gap-4 border-t border-line py-2.5">
            <dt>
              <FigureName figure={figure} />
            </dt>
            <dd className="font-medium tabular-nums">{money(amount)}</dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}
