import { useQueryClient } from '@tanstack/react-query';
import type { Topic } from '@/server/domain/core/changes';
import { useToast } from '../ui/toast';
import { useRefusalText } from './refusal';

/**
 * What follows a change: `settle` goes into its mutation's options, refetches the topics, whatever came of it, and
 * reports a refusal; `toast` is there to say that it is done.
 */
export function useChange(...topics: Topic[]) {
  const queryClient = useQueryClient();
  const toast = useToast();
  const refusalText = useRefusalText();
  const settle = {
    onError: (error: unknown) => toast.failed(refusalText(error)),
    onSettled: () => Promise.all(topics.map((topic) => queryClient.invalidateQueries({ queryKey: [[topic]] }))),
  };
  return { toast, settle };
}
