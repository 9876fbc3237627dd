import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { ConfirmDialog } from '../../ui/confirm-dialog';
import { useTRPC } from '../office/trpc';
import { useChange } from '../state/use-change';
import type { FloorTable } from './types';

/** Asks before a table's printed card stops working. */
export function ReplaceCard({ table: { tableId, name }, onEnd }: { table: FloorTable; onEnd: () => void }) {
  const t = useTranslations('tables');
  const { toast, settle } = useChange('tables');
  const replace = useMutation(
    useTRPC().tables.replaceCard.mutationOptions({ ...settle, onSuccess: () => toast.done(t('replaced', { name })) }),
  );
  return (
    <ConfirmDialog
      open
      isDangerous
      title={t('replaceTitle', { name })}
      confirmLabel={t('replaceCard')}
      onCancel={onEnd}
      onConfirm={() => {
        replace.mutate({ tableId });
        onEnd();
      }}
    >
      <p>{t('replaceText')}</p>
    </ConfirmDialog>
  );
}

export function RemoveTables({ tables, onEnd }: { tables: FloorTable[]; onEnd: () => void }) {
  const t = useTranslations('tables');
  const { toast, settle } = useChange('tables');
  const remove = useMutation(
    useTRPC().tables.remove.mutationOptions({
      ...settle,
      onSuccess: ({ removed }) => toast.done(t('removed', { count: removed })),
    }),
  );
  const count = tables.length;
  return (
    <ConfirmDialog
      open
      isDangerous
      title={t('removeTitle', { count, name: tables[0]?.name ?? '' })}
      confirmLabel={t('remove', { count })}
      onCancel={onEnd}
      onConfirm={() => {
        remove.mutate({ tableIds: tables.map(({ tableId }) => tableId) });
        onEnd();
      }}
    >
      <p>{t('removeText')}</p>
    </ConfirmDialog>
  );
}
