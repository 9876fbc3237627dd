'use client';

import { useTranslations } from 'next-intl';
import { Button } from '../../ui/button';
import { Dialog } from '../../ui/dialog';
import { CopyBlock } from '../state/copy-block';

/** Shows a new key. It is never shown again, so only its button closes the dialog. */
export function ShownKey({ value, onClose }: { value: string; onClose: () => void }) {
  const t = useTranslations('apiKeys');
  return (
    <Dialog open title={t('newKeyTitle')}>
      <p className="mb-5 leading-relaxed text-muted">{t('newKeyText')}</p>
      <CopyBlock title={t('newKey')} value={value} />
      <Button className="mt-6" onClick={onClose}>
        {t('stored')}
      </Button>
    </Dialog>
  );
}
