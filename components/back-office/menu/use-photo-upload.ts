import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { menuLimits } from '@/server/domain/menu/schemas';
import { useRefusalText } from '../../calls/refusal';
import { useTRPC } from '../office/trpc';

/**
 * Uploads one photo at a time and passes its id on. `onStart` gets a promise that resolves when the id was passed on,
 * or rejects.
 */
export function usePhotoUpload(onUploaded: (photoId: string) => unknown, onStart?: (upload: Promise<unknown>) => void) {
  const t = useTranslations('menu');
  const refusalText = useRefusalText();
  const { mutateAsync, isPending } = useMutation(useTRPC().menu.uploadPhoto.mutationOptions());
  const [failure, setFailure] = useState<string | null>(null);
  return {
    isUploading: isPending,
    failure,
    clear: () => setFailure(null),
    upload: (file: File) => {
      if (isPending) return;
      if (file.size > menuLimits.photoBytes) return setFailure(t('photoTooBig'));
      setFailure(null);
      const uploaded = mutateAsync(file).then(({ photoId }) => onUploaded(photoId));
      onStart?.(uploaded);
      uploaded.catch((error) => setFailure(refusalText(error)));
    },
  };
}

export type PhotoUpload = ReturnType<typeof usePhotoUpload>;
