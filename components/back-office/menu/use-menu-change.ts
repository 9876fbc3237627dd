import { useQueryClient } from '@tanstack/react-query';
import { useToast } from '../../ui/toast';
import { useRefusalText } from '../refusal';

/** What follows every change of the menu: it is read anew, and a refusal is told. */
export function useMenuChange() {
  const queryClient = useQueryClient();
  const toast = useToast();
  const refusalText = useRefusalText();
  return {
    onError: (error: unknown) => toast.failed(refusalText(error)),
    onSettled: () => queryClient.invalidateQueries({ queryKey: [['menu']] }),
  };
}
