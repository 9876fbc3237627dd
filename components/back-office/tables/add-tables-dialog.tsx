'use client';

import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useWatch } from 'react-hook-form';
import { tableNames } from '@/server/domain/floor/rules';
import { type AddTablesInput, addTablesInput, maxTablesAtOnce } from '@/server/domain/floor/schemas';
import { NumberField, TextField } from '../../form/fields';
import { Form } from '../../form/form';
import { useZodForm } from '../../form/use-zod-form';
import { Dialog } from '../../ui/dialog';
import { useTRPC } from '../office/trpc';
import { useChange } from '../state/use-change';

interface AddTablesDialogProps {
  store: { storeId: string; name: string };
  onClose: () => void;
}

/** Adds the tables of an area at once. */
export function AddTablesDialog({ store, onClose }: AddTablesDialogProps) {
  const t = useTranslations('tables');
  const { toast, settle } = useChange('tables');
  const add = useMutation(useTRPC().tables.add.mutationOptions({ onSettled: settle.onSettled }));
  const form = useZodForm(addTablesInput, { storeId: store.storeId, names: '', area: '', seats: null });

  const names = tableNames(useWatch({ control: form.control, name: 'names' }));

  async function save(input: AddTablesInput): Promise<void> {
    const { tableIds } = await add.mutateAsync(input);
    toast.done(t('added', { count: tableIds.length }));
    onClose();
  }
  return (
    <Dialog open onClose={onClose} title={t('addTitle')}>
      <p className="mb-5 text-muted">{t('addText', { store: store.name })}</p>
      <Form form={form} onSave={save} saveLabel={t('add')} onCancel={onClose}>
        <TextField name="names" label={t('names')} hint={t('namesHint')} autoComplete="off" />
        <Preview names={names} />
        <div className="grid grid-cols-2 gap-4">
          <TextField name="area" label={t('area')} hint={t('areaHint')} autoComplete="off" />
          <NumberField name="seats" label={t('seats')} hint={t('seatsHint')} optional />
        </div>
      </Form>
    </Dialog>
  );
}

/** Shows which tables the typed names mean. */
function Preview({ names }: { names: string[] }) {
  const t = useTranslations('tables');
  const shown = names.length > 6 ? [...names.slice(0, 3), '…', ...names.slice(-2)] : names;
  return (
    <p role="status" className="text-sm text-muted empty:hidden">
      {names.length > 1 && names.length <= maxTablesAtOnce
        ? t('preview', { count: names.length, names: shown.join(', ') })
        : null}
    </p>
  );
}
