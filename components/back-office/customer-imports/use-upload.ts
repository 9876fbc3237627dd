import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { z } from 'zod';
import { type Sentence, say } from '@/server/domain/kernel/say';
import type { TableChoice } from '@/server/domain/table-files';
import { merchantHeader } from '@/server/trpc/staff/merchant-header';
import { useSentence } from '../../messages/use-sentence';
import { useToast } from '../../ui/toast';
import { useOffice } from '../office/office';

const accepted = z.object({ importId: z.uuid() });
const refused = z.object({ error: z.object({ sentence: z.custom<Sentence>() }) });

/** A file was refused. `sentence` says why; null if there was no response. */
class UploadRefused extends Error {
  constructor(readonly sentence: Sentence | null) {
    super();
  }
}

interface Upload {
  file: File;
  choice?: TableChoice;
}

/** The last uploaded file of this page: to read it in another way, it is uploaded again. */
let last: { importId: string; file: File } | null = null;

/** Returns the file of an import, if this page has uploaded it. */
export const fileOf = (importId: string) => (last?.importId === importId ? last.file : null);

/** Uploads a file as it is. Rejects with `UploadRefused`, or like `fetch`. */
export function useUpload(onUploaded: (importId: string) => void) {
  const { merchant } = useOffice();
  const sentenceText = useSentence();
  const t = useTranslations('customers');
  const tCommon = useTranslations('common');
  const toast = useToast();
  return useMutation({
    mutationFn: async ({ file, choice = {} }: Upload): Promise<string> => {
      const query = new URLSearchParams({ name: file.name });
      for (const [name, value] of Object.entries(choice)) query.set(name, String(value));
      const response = await fetch(`/api/customer-imports?${query}`, {
        method: 'POST',
        headers: { [merchantHeader]: merchant.id, 'content-type': 'application/octet-stream' },
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
    onSuccess: (importId, { file }) => {
      last = { importId, file };
      onUploaded(importId);
    },
    onError: (error) => {
      const sentence = error instanceof UploadRefused ? error.sentence : null;
      toast.failed(sentence ? t('uploadFailed', { reason: sentenceText(sentence) }) : tCommon('offline'));
    },
  });
}
