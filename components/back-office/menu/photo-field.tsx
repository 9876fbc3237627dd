'use client';

import { useMutation } from '@tanstack/react-query';
import { Trash2, Upload } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { type RefObject, useState } from 'react';
import { useController } from 'react-hook-form';
import { menuLimits } from '@/server/domain/menu/schemas';
import { Button } from '../../ui/button';
import { DropZone, FileButton } from '../../ui/file-button';
import { Section } from '../../ui/section';
import { useTRPC } from '../shell/trpc';
import { useRefusalText } from '../state/refusal';
import { Photo } from './photo';

interface PhotoFieldProps {
  /** The current upload. It resolves once the photo's id is in the form, or rejects. */
  upload: RefObject<Promise<unknown> | undefined>;
}

/** The item's photo, chosen or dropped. It is uploaded at once, and attached to the item when the form is saved. */
export function PhotoField({ upload: underWay }: PhotoFieldProps) {
  const t = useTranslations('menu');
  const { field } = useController({ name: 'photoId' });
  const photoId: string | null = field.value;
  const { upload, isUploading, failure, clear } = useUpload(field.onChange, underWay);
  return (
    <Section title={t('photo')} description={t('photoHint')}>
      <DropZone onFile={upload} className="rounded-xl" overClassName="outline-2 outline-offset-2 outline-accent">
        <Photo photoId={photoId} size={640} className="aspect-square h-auto w-full max-w-64 rounded-xl" />
      </DropZone>
      <div className="mt-4 flex flex-wrap gap-2">
        <FileButton
          label={t('photo')}
          accept="image/jpeg,image/png,image/webp"
          variant="secondary"
          size="small"
          busy={isUploading}
          error={failure}
          onFile={upload}
        >
          <Upload className="size-4" aria-hidden="true" />
          {isUploading ? t('uploading') : t(photoId === null ? 'choosePhoto' : 'replacePhoto')}
        </FileButton>
        {photoId === null ? null : (
          <Button
            variant="quiet"
            size="small"
            onClick={() => {
              clear();
              field.onChange(null);
            }}
          >
            <Trash2 className="size-4" aria-hidden="true" />
            {t('removePhoto')}
          </Button>
        )}
      </div>
    </Section>
  );
}

function useUpload(onUploaded: (photoId: string) => void, underWay: PhotoFieldProps['upload']) {
  const t = useTranslations('menu');
  const trpc = useTRPC();
  const refusalText = useRefusalText();
  const { mutateAsync, isPending } = useMutation(trpc.menu.uploadPhoto.mutationOptions());
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
      underWay.current = uploaded;
      uploaded
        .catch((error) => setFailure(refusalText(error)))
        .finally(() => {
          underWay.current = undefined;
        });
    },
  };
}
