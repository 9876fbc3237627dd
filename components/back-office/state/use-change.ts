import { useQueryClient } from '@tanstack/react-query';
import { useToast } from '@/components/ui/toast';
import type { Topic } from '@/server/domain/kernel/changes';
import { isUnconfirmed } from '../../calls/ask-to-confirm';
import { useRefusalText } from '../../calls/refusal';

/**
 * Follow-up of a mutation. Spread `settle` into its options to refetch the topics, whatever the result, and to report a
 * refusal. Use `toast` to announce success.
 */
export function useChange(...topics: Topic[]) {
  const queryClient = useQueryClient();
  const toast = useToast();
  const refusalText = useRefusalText();
  const settle = {
    onError: (error: unknown) => isUnconfirmed(error) || toast.failed(refusalText(error)),
    onSettled: () => Promise.all(topics.map((topic) => queryClient.invalidateQueries({ queryKey: [[topic]] }))),
  };
  return { toast, settle };
}
