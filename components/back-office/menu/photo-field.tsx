'use client';

import { useMutation } from '@tanstack/react-query';
import { Trash2, Upload } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useId, useRef, useState } from 'react';
import { useController } from 'react-hook-form';
import { menuLimits } from '@/server/domain/menu/schemas';
import { Button } from '../../ui/button';
import { classNames } from '../../ui/class-names';
import { Section } from '../../ui/section';
import { useRefusalText } from '../refusal';
import { useTRPC } from '../trpc';
import { Photo } from './photo';

/** The item's photo, chosen or dropped; it is taken in at once, and belongs to the item when the form is saved. */
export function PhotoField() {
  const t = useTranslations('menu');
  const { field } = useController({ name: 'photoId' });
  const photoId: string | null = field.value;
  const input = useRef<HTMLInputElement>(null);
  const errorId = useId();
  const { upload, isUploading, failure, clear } = useUpload(field.onChange);
  const [isOver, setOver] = useState(false);
  return (
    <Section title={t('photo')} description={t('photoHint')}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping is a short cut for the button */}
      <div
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          upload(event.dataTransfer.files[0]);
        }}
        className={classNames('rounded-xl', isOver && 'outline-2 outline-offset-2 outline-accent')}
      >
        <Photo photoId={photoId} size={640} className="aspect-square h-auto w-full max-w-64 rounded-xl" />
      </div>
      <input
        ref={input}
        type="file"
        accept="image/jpeg,image/png,image/webp"
        aria-label={t('photo')}
        aria-describedby={failure ? errorId : undefined}
        onChange={(event) => {
          upload(event.target.files?.[0]);
          event.target.value = '';
        }}
        className="sr-only"
        tabIndex={-1}
      />
      <div className="mt-4 flex flex-wrap gap-2">
        <Button variant="secondary" size="small" busy={isUploading} onClick={() => input.current?.click()}>
          <Upload className="size-4" aria-hidden="true" />
          {isUploading ? t('uploading') : t(photoId === null ? 'choosePhoto' : 'replacePhoto')}
        </Button>
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
      {failure ? (
        <p id={errorId} role="alert" className="mt-2 text-sm text-danger">
          {failure}
        </p>
      ) : null}
    </Section>
  );
}

function useUpload(onUploaded: (photoId: string) => void) {
  const t = useTranslations('menu');
  const trpc = useTRPC();
  const refusalText = useRefusalText();
  const { mutate, isPending } = useMutation(trpc.menu.uploadPhoto.mutationOptions());
  const [failure, setFailure] = useState<string | null>(null);
  return {
    isUploading: isPending,
    failure,
    clear: () => setFailure(null),
    upload: (file: File | undefined) => {
      if (!file || isPending) return;
      if (file.size > menuLimits.photoBytes) return setFailure(t('photoTooBig'));
      setFailure(null);
      mutate(file, {
        onSuccess: ({ photoId }) => onUploaded(photoId),
        onError: (error) => setFailure(refusalText(error)),
      });
    },
  };
}
