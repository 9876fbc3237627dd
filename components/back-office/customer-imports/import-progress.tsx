import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { ButtonLink } from '../../ui/button';
import { Section } from '../../ui/section';
import { useFormat } from '../state/format';
import type { ImportDetail } from './types';
import { UnusedColumns } from './unused-columns';

/** The progress or the result of an import. */
export function ImportProgress({ file }: { file: ImportDetail }) {
  const t = useTranslations('customers');
  const { number } = useFormat();
  const { state, rowCount, doneCount, enrolledCount, addedCount, problemCount, warningCount } = file;
  const isFinished = state === 'finished';
  const minutes = useMinutesLeft(doneCount, rowCount);
  return (
    <Section
      title={t(`importState.${state}`)}
      description={isFinished && problemCount + warningCount === 0 ? t('allFine') : null}
      actions={
        isFinished ? (
          <ButtonLink href="/customers" variant="secondary" size="small">
            {t('toCustomers')}
          </ButtonLink>
        ) : null
      }
    >
      {isFinished ? null : (
        <>
          <progress
            aria-label={t('progress')}
            value={doneCount}
            max={rowCount}
            className="block h-2.5 w-full overflow-hidden rounded-full bg-tint accent-accent [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-tint [&::-webkit-progress-value]:bg-accent"
          />
          <p role="status" className="mt-2 mb-5 text-sm text-muted">
            {t('progressText', { done: doneCount, total: rowCount })}
            {minutes === null ? null : ` · ${t('timeLeft', { minutes })}`}
          </p>
        </>
      )}
      <dl className="grid grid-cols-2 gap-x-8 gap-y-3 sm:max-w-md">
        <Count term={t('enrolledCount')} value={number(enrolledCount)} />
        {addedCount > 0 ? <Count term={t('addedCount')} value={number(addedCount)} /> : null}
        <Count term={t('problemCount')} value={number(problemCount)} />
        {warningCount > 0 ? <Count term={t('warningCount')} value={number(warningCount)} /> : null}
      </dl>
      <UnusedColumns headings={file.unused} />
    </Section>
  );
}

/** Measures the rows that are done while the screen is open. Returns null until there is something to go by. */
function useMinutesLeft(done: number, total: number): number | null {
  const [start] = useState({ done, atMs: Date.now() });
  if (done <= start.done) return null;
  const msPerRow = (Date.now() - start.atMs) / (done - start.done);
  return Math.max(1, Math.round(((total - done) * msPerRow) / 60_000));
}

export function Count({ term, value }: { term: string; value: string }) {
  return (
    <div>
      <dt className="text-sm text-muted">{term}</dt>
      <dd className="mt-0.5 text-2xl font-semibold tracking-tight tabular-nums">{value}</dd>
    </div>
  );
}
