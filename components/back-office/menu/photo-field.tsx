'use client';

import { useTranslations } from 'next-intl';
import type { RefObject } from 'react';
import { useController } from 'react-hook-form';
import { Section } from '../../ui/section';
import { PhotoPicker } from './photo-picker';
import { usePhotoUpload } from './use-photo-upload';

interface PhotoFieldProps {
  /** The current upload. It resolves once the photo's id is in the form, or rejects. */
  upload: RefObject<Promise<unknown> | undefined>;
}

/** The item's photo, chosen or dropped. It is uploaded at once, and attached to the item when the form is saved. */
export function PhotoField({ upload: underWay }: PhotoFieldProps) {
  const t = useTranslations('menu');
  const { field } = useController({ name: 'photoId' });
  const upload = usePhotoUpload(field.onChange, (uploaded) => {
    const end = () => {
      underWay.current = undefined;
    };
    underWay.current = uploaded;
    uploaded.then(end, end);
  });
  return (
    <Section title={t('photo')} description={t('photoHint')}>
      <PhotoPicker
        label={t('photo')}
        photoId={field.value}
        look="aspect-square h-auto w-full max-w-64 rounded-xl"
        upload={upload}
        onRemove={() => field.onChange(null)}
      />
    </Section>
  );
}
