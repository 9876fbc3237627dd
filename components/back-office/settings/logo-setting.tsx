'use client';

import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { Photo } from '../menu/photo';
import { PhotoPicker } from '../menu/photo-picker';
import { usePhotoUpload } from '../menu/use-photo-upload';
import { useTRPC } from '../office/trpc';
import { useChange } from '../state/use-change';
import type { Settings } from './types';

/** The logo, saved as soon as it is chosen or removed. */
export function LogoSetting({ settings: { logoId, canEdit } }: { settings: Settings }) {
  const t = useTranslations('settings');
  const { toast, settle } = useChange('settings');
  const change = useMutation(
    useTRPC().settings.change.mutationOptions({ ...settle, onSuccess: () => toast.done(t('saved')) }),
  );
  const upload = usePhotoUpload((photoId) => change.mutateAsync({ logoId: photoId }));
  if (!canEdit)
    return logoId === null ? <p>{t('noLogo')}</p> : <Photo photoId={logoId} size={160} className="size-24" />;
  return (
    <PhotoPicker
      label={t('logo')}
      photoId={logoId}
      look="size-32 rounded-xl"
      upload={upload}
      isBusy={change.isPending}
      onRemove={() => change.mutate({ logoId: null })}
    />
  );
}
