'use client';

import { useTranslations } from 'next-intl';
import { Button } from '../../ui/button';
import { Dialog } from '../../ui/dialog';
import { useOffice } from '../office/office';
import { CopyBlock } from '../state/copy-block';
import { useFormat } from '../state/format';

/** Shows new recovery codes. They are never shown again, so only its button closes the dialog. */
export function RecoveryCodesDialog({ codes, onClose }: { codes: string[]; onClose: () => void }) {
  const t = useTranslations('secondFactors');
  const text = codes.join('\n');
  const { email } = useOffice().person;
  const { dateTime } = useFormat();
  const head = `Tableside – ${t('recoveryCodes')}\n${email}\n${dateTime(new Date())}`;
  const file = `data:text/plain;charset=utf-8,${encodeURIComponent(`${head}\n\n${text}\n`)}`;
  return (
    <Dialog open={codes.length > 0} title={t('codesTitle')}>
      <div className="flex flex-col gap-5">
        <p className="leading-relaxed text-muted">{t('codesText')}</p>
        <CopyBlock title={t('recoveryCodes')} value={text} />
        <div className="flex flex-wrap items-center gap-x-5 gap-y-3">
          <Button onClick={onClose}>{t('saved')}</Button>
          <a
            href={file}
            download="tableside-recovery-codes.txt"
            className="text-sm font-medium text-ink underline decoration-edge underline-offset-4 hover:decoration-ink"
          >
            {t('download')}
          </a>
        </div>
      </div>
    </Dialog>
  );
}
