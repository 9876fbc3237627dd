'use client';

import { useTranslations } from 'next-intl';
import { useFormContext, useWatch } from 'react-hook-form';
import type { PackageInput } from '@/server/domain/stored-value';
import { examplesOf } from '@/server/domain/stored-value/rules';
import { useFormat } from '../state/format';

type Draft = { [Field in 'amount' | 'bonusAmount' | 'minAmount' | 'maxAmount' | 'bonusBasisPoints']?: number | null };

const isAmount = (value: number | null | undefined): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0;

/** Returns the draft's examples; none while amounts are missing. */
function examplesIn(kind: PackageInput['kind'], draft: Draft) {
  const { amount, bonusAmount, minAmount, maxAmount, bonusBasisPoints } = draft;
  if (kind === 'fixed') {
    return isAmount(amount) && amount > 0
      ? examplesOf({ kind, amount, bonusAmount: isAmount(bonusAmount) ? bonusAmount : 0 })
      : [];
  }
  if (!isAmount(minAmount) || !isAmount(maxAmount) || minAmount === 0 || maxAmount < minAmount) return [];
  return examplesOf({
    kind,
    minAmount,
    maxAmount,
    bonusBasisPoints: isAmount(bonusBasisPoints) ? bonusBasisPoints : 0,
  });
}

/** Previews the package as customers see it. */
export function PackagePreview() {
  const t = useTranslations('packages');
  const draft = useWatch({ control: useFormContext<PackageInput>().control });
  const examples = examplesIn(draft.kind ?? 'fixed', draft as Draft);
  return (
    <section aria-label={t('preview')} aria-live="polite" className="rounded-2xl bg-plate p-6 text-on-plate">
      <p className="text-sm opacity-90">{t('preview')}</p>
      <p className="mt-1 text-lg font-semibold tracking-tight wrap-anywhere">{draft.name?.trim() || t('nameless')}</p>
      {examples.length === 0 ? <p className="mt-5 text-sm leading-relaxed opacity-90">{t('previewEmpty')}</p> : null}
      {examples.map((example) => (
        <Example key={example.pays} {...example} />
      ))}
      {examples.some(({ pays, receives }) => receives > pays) ? (
        <p className="mt-5 border-t border-on-plate/30 pt-4 text-sm leading-relaxed opacity-90">
          {Number.isSafeInteger(draft.bonusExpiresInDays)
            ? t('previewExpiry', { days: Number(draft.bonusExpiresInDays) })
            : t('previewKeeps')}
        </p>
      ) : null}
    </section>
  );
}

function Example({ pays, receives }: { pays: number; receives: number }) {
  const t = useTranslations('packages');
  const { money } = useFormat();
  return (
    <dl className="mt-5 grid grid-cols-2 gap-4">
      <div>
        <dt className="text-sm opacity-90">{t('pays')}</dt>
        <dd className="text-xl font-semibold tabular-nums wrap-anywhere">{money(pays)}</dd>
      </div>
      <div>
        <dt className="text-sm opacity-90">{t('receives')}</dt>
        <dd className="text-xl font-semibold tabular-nums wrap-anywhere">{money(receives)}</dd>
      </div>
    </dl>
  );
}
