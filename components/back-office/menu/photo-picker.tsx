import { Trash2, Upload } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { Button } from '../../ui/button';
import { DropZone, FileButton } from '../../ui/file-button';
import { Photo } from './photo';
import type { PhotoUpload } from './use-photo-upload';

interface PhotoPickerProps {
  label: string;
  photoId: string | null;
  /** Classes of the shown photo: its size and corners. */
  look: string;
  upload: PhotoUpload;
  isBusy?: boolean;
  onRemove: () => void;
}

/** A photo that is chosen, dropped, replaced or removed. */
export function PhotoPicker({ label, photoId, look, upload, isBusy = false, onRemove }: PhotoPickerProps) {
  const t = useTranslations('menu');
  const { isUploading, failure } = upload;
  return (
    <>
      <DropZone onFile={upload.upload} className="rounded-xl" overClassName="outline-2 outline-offset-2 outline-accent">
        <Photo photoId={photoId} size={640} className={look} />
      </DropZone>
      <div className="mt-4 flex flex-wrap gap-2">
        <FileButton
          label={label}
          accept="image/jpeg,image/png,image/webp"
          variant="secondary"
          size="small"
          busy={isUploading || isBusy}
          error={failure}
          onFile={upload.upload}
        >
          <Upload className="size-4" aria-hidden="true" />
          {isUploading ? t('uploading') : t(photoId === null ? 'choosePhoto' : 'replacePhoto')}
        </FileButton>
        {photoId === null ? null : (
          <Button
            variant="quiet"
            size="small"
            busy={isBusy}
            onClick={() => {
              upload.clear();
              onRemove();
            }}
          >
            <Trash2 className="size-4" aria-hidden="true" />
            {t('removePhoto')}
          </Button>
        )}
      </div>
    </>
  );
}
