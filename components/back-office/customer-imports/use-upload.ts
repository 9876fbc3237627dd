import { useMutation } from '@tanstack/react-query';
import { z } from 'zod';
import { merchantHeader } from '@/server/trpc/staff/merchant-header';
import { useOffice } from '../office';

const accepted = z.object({ importId: z.uuid() });
const refused = z.object({ error: z.object({ message: z.string() }) });

/** Uploads a file unchanged. Fails with the reason for the rejection, or null where there was no response. */
export function useUpload(onUploaded: (importId: string) => void) {
  const { merchant } = useOffice();
  return useMutation({
    mutationFn: async (file: File): Promise<string> => {
      const response = await fetch(`/api/customer-imports?${new URLSearchParams({ name: file.name })}`, {
        method: 'POST',
        headers: { [merchantHeader]: merchant.id, 'content-type': 'text/csv' },
        body: file,
      });
      const answer: unknown = await response.json().catch(() => null);
      if (!response.ok) {
        // A proxy that rejects the file for its size responds in its own format.
        const proxyProblem = response.status === 413 ? 'is larger than a proxy on the way lets through' : '';
        throw new Error(refused.safeParse(answer).data?.error.message ?? proxyProblem);
      }
      return accepted.parse(answer).importId;
    },
    onSuccess: onUploaded,
  });
}
