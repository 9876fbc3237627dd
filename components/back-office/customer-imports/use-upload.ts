import { useMutation } from '@tanstack/react-query';
import { z } from 'zod';
import { type Sentence, say } from '@/server/domain/kernel/say';
import { merchantHeader } from '@/server/trpc/staff/merchant-header';
import { useOffice } from '../office/office';

const accepted = z.object({ importId: z.uuid() });
const refused = z.object({ error: z.object({ sentence: z.custom<Sentence>() }) });

/** A file was refused. `sentence` says why; null if there was no response. */
export class UploadRefused extends Error {
  constructor(readonly sentence: Sentence | null) {
    super();
  }
}

/** Uploads a file as it is. Rejects with `UploadRefused`, or like `fetch`. */
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
        // A proxy refuses files of this size with its own message.
        const ofProxy = response.status === 413 ? say('tooLargeForProxy') : null;
        throw new UploadRefused(refused.safeParse(answer).data?.error.sentence ?? ofProxy);
      }
      return accepted.parse(answer).importId;
    },
    onSuccess: onUploaded,
  });
}
