import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useToast } from '../../ui/toast';
import { useRefusalText } from '../refusal';
import { useTRPC } from '../trpc';
import type { ManagedPackage } from './package-summary';

/** Puts the packages in a new order: at once on the screen, and back again where it could not be saved. */
export function useOrderPackages(packages: ManagedPackage[] | undefined): (packageIds: string[]) => void {
  const t = useTranslations('packages');
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const toast = useToast();
  const refusalText = useRefusalText();
  const list = trpc.packages.list.queryKey({ status: 'current' });
  const { mutate } = useMutation(
    trpc.packages.reorder.mutationOptions({
      onSuccess: () => toast.done(t('ordered')),
      onError: (error) => toast.failed(refusalText(error)),
      onSettled: () => queryClient.invalidateQueries({ queryKey: [['packages']] }),
    }),
  );
  return (packageIds) => {
    const inOrder = packageIds.flatMap((id) => packages?.find(({ packageId }) => packageId === id) ?? []);
    void queryClient.cancelQueries({ queryKey: list });
    queryClient.setQueryData(list, inOrder);
    mutate({ packageIds });
  };
}
