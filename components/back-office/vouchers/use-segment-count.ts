import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useRef, useState } from 'react';
import type { Segment } from '@/server/domain/vouchers/campaign-schemas';
import { useTRPC } from '../trpc';

interface Count {
  customers: number;
  isDone: boolean;
}

/** Counts whom a segment reaches, part by part, and tells the count as it grows. */
export function useSegmentCount() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [count, setCount] = useState<Count | null>(null);
  /** The count under way; one that was overtaken falls silent. */
  const current = useRef(0);

  const start = useCallback(
    async (segment: Segment) => {
      current.current += 1;
      const own = current.current;
      let customers = 0;
      let after: string | null = null;
      setCount({ customers, isDone: false });
      do {
        const part: { customers: number; next: string | null } = await queryClient.fetchQuery({
          ...trpc.vouchers.countSegment.queryOptions({ segment, after }),
          staleTime: 0,
        });
        if (own !== current.current) return;
        customers += part.customers;
        after = part.next;
        setCount({ customers, isDone: after === null });
      } while (after !== null);
    },
    [trpc, queryClient],
  );
  const forget = useCallback(() => {
    current.current += 1;
    setCount(null);
  }, []);
  return { count, start, forget };
}
