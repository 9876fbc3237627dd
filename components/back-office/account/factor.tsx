import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { inferRouterOutputs } from '@trpc/server';
import { useFormatter, useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { AccountRouter } from '@/server/trpc/account/router';
import { isUnconfirmed } from '../../calls/ask-to-confirm';
import { useRefusalText } from '../../calls/refusal';
import { secondFactorsQuery } from '../../calls/second-factors-query';
import { useToast } from '../../ui/toast';
import { sessionsKey } from './sessions';

export type Factors = inferRouterOutputs<AccountRouter>['secondFactors'];

interface FactorProps {
  title: string;
  facts: string[];
  children: ReactNode;
}

/** A row of the list of second factors, with its buttons. */
export function Factor({ title, facts, children }: FactorProps) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3 p-4">
      <div className="min-w-0 flex-1 basis-56">
        <p className="font-medium wrap-anywhere">{title}</p>
        <p className="mt-1 flex flex-wrap gap-x-3 text-sm text-muted">
          {facts.map((fact) => (
            <span key={fact}>{fact}</span>
          ))}
        </p>
      </div>
      <div className="flex flex-wrap gap-2">{children}</div>
    </li>
  );
}

/** Lists what else ends if a person removes their last factor. */
export function LastOne({ factors: { authenticator, passkeys, demandedBy } }: { factors: Factors }) {
  const t = useTranslations('secondFactors');
  const { list } = useFormatter();
  if ((authenticator ? 1 : 0) + passkeys.length > 1) return null;
  return (
    <>
      <p className="mt-2">{t('removeLast')}</p>
      {demandedBy.length > 0 ? (
        <p className="mt-2 font-medium text-danger">{t('removeDemanded', { merchants: list(demandedBy) })}</p>
      ) : null}
    </>
  );
}

/** A change of the factors. Reports its failure, and reloads the factors and the sessions. */
export function useFactorChange<Output, Input = void>(
  change: (input: Input) => Promise<Output>,
  onDone: (output: Output) => void,
) {
  const toast = useToast();
  const refusalText = useRefusalText();
  const reload = useReloadFactors();
  return useMutation({
    mutationFn: (input: Input) => change(input),
    onSuccess: onDone,
    onError: (error) => isUnconfirmed(error) || toast.failed(refusalText(error)),
    onSettled: reload,
  });
}

export function useReloadFactors() {
  const queryClient = useQueryClient();
  return () =>
    Promise.all(
      [secondFactorsQuery.queryKey, sessionsKey].map((queryKey) => queryClient.invalidateQueries({ queryKey })),
    );
}
