import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { tableDetails } from '@/server/domain/floor/schemas';
import { NumberField, TextField } from '../../form/fields';
import { Form } from '../../form/form';
import { useZodForm } from '../../form/use-zod-form';
import { Dialog } from '../../ui/dialog';
import { useTRPC } from '../office/trpc';
import { useChange } from '../state/use-change';
import type { FloorTable } from './types';

export function ChangeTableDialog({ table, onClose }: { table: FloorTable; onClose: () => void }) {
  const t = useTranslations('tables');
  const tCommon = useTranslations('common');
  const { toast, settle } = useChange('tables');
  const change = useMutation(useTRPC().tables.change.mutationOptions({ onSettled: settle.onSettled }));
  const { tableId, name, area, seats } = table;
  const form = useZodForm(tableDetails, { name, area, seats });
  return (
    <Dialog open onClose={onClose} title={t('changeTitle', { name })}>
      <Form
        form={form}
        saveLabel={tCommon('save')}
        onCancel={onClose}
        onSave={async (details) => {
          await change.mutateAsync({ tableId, ...details });
          toast.done(t('changed'));
          onClose();
        }}
      >
        <TextField name="name" label={tCommon('name')} hint={t('nameHint')} autoComplete="off" />
        <div className="grid grid-cols-2 gap-4">
          <TextField name="area" label={t('area')} autoComplete="off" />
          <NumberField name="seats" label={t('seats')} optional />
        </div>
      </Form>
    </Dialog>
  );
}
