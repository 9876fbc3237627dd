import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { segment as segmentSchema } from '@/server/domain/vouchers/campaign-schemas';
import { useRefusalText } from '../../calls/refusal';
import { useToast } from '../../ui/toast';
import { useTRPC } from '../office/trpc';

export interface SegmentCount {
  customers: number;
  isDone: boolean;
}

/**
 * Counts the customers in a segment, page by page, and reports the growing count. `draft` is the segment in the form.
 * Changing it discards the count.
 */
export function useSegmentCount(draft: unknown) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const toast = useToast();
  const refusalText = useRefusalText();
  const [count, setCount] = useState<SegmentCount | null>(null);
  const key = JSON.stringify(draft);
  /** The current count. A superseded one stops reporting. */
  const current = useRef({ key });

  useEffect(() => {
    setCount(null);
    return () => {
      current.current = { key };
    };
  }, [key]);

  async function start(): Promise<void> {
    const { data: segment } = segmentSchema.safeParse(draft);
    if (!segment || count?.isDone === false) return;
    const own = { key };
    current.current = own;
    let customers = 0;
    let after: string | null = null;
    try {
      do {
        setCount({ customers, isDone: false });
        const part: { customers: number; next: string | null } = await queryClient.fetchQuery({
          ...trpc.vouchers.countSegment.queryOptions({ segment, after }),
          staleTime: 0,
        });
        if (own !== current.current) return;
        customers += part.customers;
        after = part.next;
      } while (after !== null);
      setCount({ customers, isDone: true });
    } catch (error) {
      if (own !== current.current) return;
      setCount(null);
      toast.failed(refusalText(error));
    }
  }
  return { count, start };
}
