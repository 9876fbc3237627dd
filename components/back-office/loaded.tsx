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

interface LoadedProps<Data> {
  query: LoadedQuery<Data>;
  /** How high it is while it loads, as a class. */
  height?: string;
  children: (data: Data) => ReactNode;
}

/** What a query answers, in each of its states. */
export function Loaded<Data>({ query, height = 'h-96', children }: LoadedProps<Data>) {
  const t = useTranslations('common');
  const { data, error, isPlaceholderData, refetch } = query;
  if (data === undefined) {
    return error ? <LoadError error={error} onRetry={refetch} /> : <Skeleton label={t('loading')} className={height} />;
  }
  return (
    <div aria-busy={isPlaceholderData} className="flex flex-col gap-5">
      {children(data)}
    </div>
  );
}
