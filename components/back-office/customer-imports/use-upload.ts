import { useMutation } from '@tanstack/react-query';
import { z } from 'zod';
import { type Sentence, say } from '@/server/domain/kernel/say';
import { merchantHeader } from '@/server/trpc/staff/merchant-header';
import { useOffice } from '../office/office';

const accepted = z.object({ importId: z.uuid() });
const refused = z.object({ error: z.object({ sentence: z.custom<Sentence>() }) });

/** A file was not taken; `sentence` says why, and is null where there was no answer. */
export class UploadRefused extends Error {
  constructor(readonly sentence: Sentence | null) {
    super();
  }
}

/** Sends a file as it is. Fails with `UploadRefused`, or as `fetch` does. */
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
        // A proxy that takes no file of this size says so in its own way.
        const ofProxy = response.status === 413 ? say('tooLargeForProxy') : null;
        throw new UploadRefused(refused.safeParse(answer).data?.error.sentence ?? ofProxy);
      }
      return accepted.parse(answer).importId;
    },
    onSuccess: onUploaded,
  });
}
