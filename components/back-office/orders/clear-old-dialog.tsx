import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { clearAges } from '@/server/domain/qr-ordering/schemas';
import { ConfirmDialog } from '../../ui/confirm-dialog';
import { Select } from '../../ui/select';
import { useTRPC } from '../office/trpc';
import { useChange } from '../state/use-change';

interface ClearOldDialogProps {
  /** Undefined for all stores. */
  storeId: string | undefined;
  onEnd: () => void;
}

/** Marks all orders as served that are older than a chosen age. */
export function ClearOldDialog({ storeId, onEnd }: ClearOldDialogProps) {
  const t = useTranslations('orders');
  const { toast, settle } = useChange('orders', 'qrCodes');
  const [minutes, setMinutes] = useState<(typeof clearAges)[number]>(60);
  const clear = useMutation(
    useTRPC().orders.clearOld.mutationOptions({
      ...settle,
      onSuccess: ({ cleared }) => toast.done(t('cleared', { count: cleared })),
    }),
  );
  return (
    <ConfirmDialog
      open
      isDangerous
      title={t('clearOld')}
      confirmLabel={t('clear')}
      onCancel={onEnd}
      onConfirm={() => {
        clear.mutate({ storeId, minutes });
        onEnd();
      }}
    >
      <p className="mb-4">{t('clearText')}</p>
      <Select
        label={t('clearOlderThan')}
        value={String(minutes)}
        onChange={({ target }) => setMinutes(clearAges.find((age) => String(age) === target.value) ?? 60)}
        options={clearAges.map((age) => ({ value: String(age), label: t('minutes', { count: age }) }))}
      />
    </ConfirmDialog>
  );
}
