import { useQueryClient } from '@tanstack/react-query';
import { useToast } from '../../ui/toast';
import { useRefusalText } from '../refusal';

/** What follows a change of a customer: its toast, or why not; and what is on the screen is fetched again. */
export function useCustomerChange(doneText: string, onDone: () => void = () => {}) {
  const queryClient = useQueryClient();
  const toast = useToast();
  const refusalText = useRefusalText();
  return {
    onSuccess: () => {
      toast.done(doneText);
      onDone();
    },
    onError: (error: unknown) => toast.failed(refusalText(error)),
    onSettled: () => queryClient.invalidateQueries({ queryKey: [['customers']] }),
  };
}
