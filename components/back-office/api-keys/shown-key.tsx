'use client';

import { useTranslations } from 'next-intl';
import { Button } from '../../ui/button';
import { CodeBlock } from '../../ui/code-block';
import { Dialog } from '../../ui/dialog';

/** The only time that a key is seen. */
export function ShownKey({ value, onClose }: { value: string; onClose: () => void }) {
  const t = useTranslations('apiKeys');
  return (
    <Dialog open onClose={onClose} title={t('newKeyTitle')} staysOpen>
      <p className="mb-5 leading-relaxed text-muted">{t('newKeyText')}</p>
      <CodeBlock title={t('newKey')} copyText={value}>
        {value}
      </CodeBlock>
      <Button className="mt-6" onClick={onClose}>
        {t('stored')}
      </Button>
    </Dialog>
  );
}
