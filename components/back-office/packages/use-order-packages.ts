import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useTRPC } from '../office/trpc';
import { useChange } from '../state/use-change';
import type { ManagedPackage } from './package-summary';

/** Reorders packages on the screen at once, and reverts if saving fails. */
export function useOrderPackages(packages: ManagedPackage[] | undefined): (packageIds: string[]) => void {
  const t = useTranslations('packages');
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const { toast, settle } = useChange('packages');
  const list = trpc.packages.list.queryKey({ status: 'current' });
  const { mutate } = useMutation(
    trpc.packages.reorder.mutationOptions({
      ...settle,
      onSuccess: () => toast.done(t('ordered')),
    }),
  );
  return (packageIds) => {
    const inOrder = packageIds.flatMap((id) => packages?.find(({ packageId }) => packageId === id) ?? []);
    void queryClient.cancelQueries({ queryKey: list });
    queryClient.setQueryData(list, inOrder);
    mutate({ packageIds });
  };
}
