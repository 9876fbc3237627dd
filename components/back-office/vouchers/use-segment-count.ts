import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { segment as segmentSchema } from '@/server/domain/vouchers/campaign-schemas';
import { useRefusalText } from '../../calls/refusal';
import { useToast } from '../../ui/toast';
import { useTRPC } from '../office/trpc';

export interface SegmentCount {
  customers: number;
  /** All customers that were looked at, blocked ones not counted. */
  lookedAt: number;
  isDone: boolean;
}

/** Typing changes the segment with each key. */
const settleMs = 400;

/**
 * Counts the customers in a segment, page by page, and reports the growing count. `draft` is the segment in the form. A change
 * of it begins a new count. `start` counts again after a failure.
 */
export function useSegmentCount(draft: unknown) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const toast = useToast();
  const refusalText = useRefusalText();
  const [count, setCount] = useState<SegmentCount | null>(null);
  const key = JSON.stringify(draft);
  /** The current count. A superseded one stops reporting. */
  const current = useRef({});

  const start = useCallback(async (): Promise<void> => {
    const { data: segment } = segmentSchema.safeParse(JSON.parse(key));
    if (!segment) return;
    const own = {};
    current.current = own;
    const sum = { customers: 0, lookedAt: 0 };
    let after: string | null = null;
    try {
      do {
        setCount({ ...sum, isDone: false });
        const part: { customers: number; lookedAt: number; next: string | null } = await queryClient.fetchQuery({
          ...trpc.vouchers.countSegment.queryOptions({ segment, after }),
          staleTime: 0,
        });
        if (own !== current.current) return;
        sum.customers += part.customers;
        sum.lookedAt += part.lookedAt;
        after = part.next;
      } while (after !== null);
      setCount({ ...sum, isDone: true });
    } catch (error) {
      if (own !== current.current) return;
      setCount(null);
      toast.failed(refusalText(error));
    }
  }, [key, queryClient, trpc, toast, refusalText]);

  const latest = useRef(start);
  latest.current = start;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another segment needs another count
  useEffect(() => {
    setCount(null);
    const timer = setTimeout(() => void latest.current(), settleMs);
    return () => {
      clearTimeout(timer);
      current.current = {};
    };
  }, [key]);
  return { count, start };
}
