import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { Skeleton } from '@/components/ui/skeleton';
import { LoadError } from './load-error';

/** The part of `useQuery`'s result that is used here. */
export interface LoadedQuery<Data> {
  data: Data | undefined;
  error: unknown;
  isPlaceholderData: boolean;
  refetch: () => unknown;
}

interface WaitingProps extends Pick<LoadedQuery<unknown>, 'error' | 'refetch'> {
  /** The height while loading, as a class. */
  height?: string;
}

/** Shown instead of a query's data: loading, or the error. */
export function Waiting({ error, refetch, height = 'h-96' }: WaitingProps) {
  const t = useTranslations('common');
  return error ? <LoadError error={error} onRetry={refetch} /> : <Skeleton label={t('loading')} className={height} />;
}

interface LoadedProps<Data> {
  query: LoadedQuery<Data>;
  /** The height while loading, as a class. */
  height?: string;
  children: (data: Data) => ReactNode;
}

/** Renders a query in each of its states. */
export function Loaded<Data>({ query, height, children }: LoadedProps<Data>) {
  const { data, error, isPlaceholderData, refetch } = query;
  if (data === undefined) return <Waiting error={error} refetch={refetch} height={height} />;
  return (
    <div aria-busy={isPlaceholderData} className="flex flex-col gap-5">
      {children(data)}
    </div>
  );
}
