import { ArrowRight, Circle, CircleCheck } from 'lucide-react';
import { useTranslations } from 'next-intl';
import type { FirstSteps as Steps } from '@/server/domain/reports';
import { Link } from '../../ui/link';
import { Section } from '../../ui/section';

const places = {
  store: '/stores',
  menu: '/menu',
  package: '/packages',
  tables: '/tables',
  key: '/api-keys',
  sale: '/docs',
} as const;
type Step = keyof typeof places;
const order = Object.keys(places) as Step[];

/** What is left to do until the first sale. */
export function FirstSteps({ steps: { call, ...done } }: { steps: Steps }) {
  const t = useTranslations('home.firstSteps');
  // A key is done once a till uses it.
  const isDone = (step: Step) => done[step] && (step !== 'key' || call);
  const count = order.filter(isDone).length;
  return (
    <Section title={t('title')} description={t('progress', { count, total: order.length })}>
      <ol className="grid gap-1 sm:grid-cols-2">
        {order.map((step) => (
          <li key={step}>
            <Link
              href={places[step]}
              className="-mx-3 flex min-h-11 items-center gap-3 rounded-lg px-3 py-2 hover:bg-tint/60"
            >
              {isDone(step) ? (
                <CircleCheck className="size-5 shrink-0 text-accent" aria-label={t('done')} />
              ) : (
                <Circle className="size-5 shrink-0 text-muted" aria-label={t('open')} />
              )}
              <span className="min-w-0 grow">
                <span className={isDone(step) ? 'text-muted' : 'font-medium'}>{t(step)}</span>
                {step === 'key' && done.key && !call ? (
                  <span className="block text-sm text-muted">{t('waiting')}</span>
                ) : null}
              </span>
              {isDone(step) ? null : <ArrowRight className="size-4 shrink-0 text-muted" aria-hidden="true" />}
            </Link>
          </li>
        ))}
      </ol>
    </Section>
  );
}
