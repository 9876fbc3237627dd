'use client';

import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { Dialog } from '../../ui/dialog';
import { ExportLink } from '../lists/data-list';
import type { Days } from '../lists/day-calendar';
import { DayRange } from '../lists/day-range';
import { useToday } from '../state/use-merchant-clock';

interface ExportDialogProps {
  /** Null for all stores. */
  store: { storeId: string; name: string } | null;
  onClose: () => void;
}

/** Chooses the days to export. Default: today. */
export function ExportDialog({ store, onClose }: ExportDialogProps) {
  const t = useTranslations('orders');
  const today = useToday();
  const [days, setDays] = useState<Days>({ from: today, until: today });
  const { from, until } = days;
  return (
    <Dialog open onClose={onClose} title={t('exportTitle')}>
      <p className="mb-5 text-muted">{store ? t('exportText', { store: store.name }) : t('exportAllText')}</p>
      <div className="mb-6 flex flex-wrap items-center gap-3">
        <DayRange {...days} onChange={setDays} />
        {from && until ? (
          <ExportLink list="orders" filters={{ ...(store && { storeId: store.storeId }), from, until }} />
        ) : null}
      </div>
    </Dialog>
  );
}
