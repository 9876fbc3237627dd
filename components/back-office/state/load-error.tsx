'use client';

import { useTranslations } from 'next-intl';
import { Button } from '@/components/ui/button';
import { asRefusal, useRefusalText } from '../../calls/refusal';

/** Shown instead of data that could not be loaded. */
export function LoadError({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const t = useTranslations();
  const refusalText = useRefusalText();
  const { code, reason } = asRefusal(error)?.data ?? {};
  // A mistyped address (BAD_REQUEST) is treated like a missing page.
  const isMissing = code === 'NOT_FOUND' || code === 'BAD_REQUEST';
  const isForbidden = code === 'FORBIDDEN';
  return (
    <div role="alert" className="rounded-2xl border border-line bg-surface px-6 py-10 text-center">
      <p className="text-lg font-semibold tracking-tight">
        {isForbidden
          ? t(reason === 'second_factor_required' ? 'secondFactors.demandedTitle' : 'shell.forbiddenTitle')
          : isMissing
            ? t('common.notFoundTitle')
            : t('common.loadErrorTitle')}
      </p>
      <p className="mt-1.5 text-muted">{isMissing ? t('common.notFoundText') : refusalText(error)}</p>
      {isForbidden || isMissing ? null : (
        <Button variant="secondary" size="small" className="mt-5" onClick={onRetry}>
          {t('common.tryAgain')}
        </Button>
      )}
    </div>
  );
}
