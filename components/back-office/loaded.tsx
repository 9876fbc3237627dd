import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { Skeleton } from '../ui/skeleton';
import { LoadError } from './load-error';

/** What `useQuery` answers, as far as it matters here. */
export interface LoadedQuery<Data> {
  data: Data | undefined;
  error: unknown;
  isPlaceholderData: boolean;
  refetch: () => unknown;
}

interface WaitingProps extends Pick<LoadedQuery<unknown>, 'error' | 'refetch'> {
  /** How high it is while it loads, as a class. */
  height?: string;
}

/** In the place of what a query has not answered: it loads, or it failed. */
export function Waiting({ error, refetch, height = 'h-96' }: WaitingProps) {
  const t = useTranslations('common');
  return error ? <LoadError error={error} onRetry={refetch} /> : <Skeleton label={t('loading')} className={height} />;
}

interface LoadedProps<Data> {
  query: LoadedQuery<Data>;
  /** As that of `Waiting`. */
  height?: string;
  children: (data: Data) => ReactNode;
}

/** What a query answers, in each of its states. */
export function Loaded<Data>({ query, height, children }: LoadedProps<Data>) {
  const { data, error, isPlaceholderData, refetch } = query;
  if (data === undefined) return <Waiting error={error} refetch={refetch} height={height} />;
  return (
    <div aria-busy={isPlaceholderData} className="flex flex-col gap-5">
      {children(data)}
    </div>
  );
}
