'use client';

import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { dateIn } from '@/server/domain/kernel/calendar';
import { Dialog } from '../../ui/dialog';
import { Field } from '../../ui/field';
import { ExportLink } from '../lists/data-list';
import { useOffice } from '../shell/office';
import { useMerchantClock } from '../state/use-merchant-clock';

interface ExportDialogProps {
  store: { storeId: string; name: string };
  onClose: () => void;
}

/** Chooses the days to export. Default: today. */
export function ExportDialog({ store, onClose }: ExportDialogProps) {
  const t = useTranslations('orders');
  const { timeZone } = useOffice().merchant;
  const clock = useMerchantClock();
  const [today] = useState(() => dateIn(timeZone, clock()));
  const [from, setFrom] = useState(today);
  const [until, setUntil] = useState(today);
  const isRange = from !== '' && until !== '' && from <= until;
  return (
    <Dialog open onClose={onClose} title={t('exportTitle')}>
      <p className="mb-5 text-muted">{t('exportText', { store: store.name })}</p>
      <div className="mb-6 grid gap-4 sm:grid-cols-2">
        <Field label={t('exportFrom')} type="date" value={from} onChange={({ target }) => setFrom(target.value)} />
        <Field
          label={t('exportUntil')}
          type="date"
          min={from}
          value={until}
          onChange={({ target }) => setUntil(target.value)}
        />
      </div>
      {isRange ? <ExportLink list="orders" filters={{ storeId: store.storeId, from, until }} /> : null}
    </Dialog>
  );
}
