'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import type { TableCodeInput } from '@/server/domain/qr-ordering';
import { tableCodeInput } from '@/server/domain/qr-ordering/schemas';
import { NumberField, TextField } from '../../form/fields';
import { Form } from '../../form/form';
import { useZodForm } from '../../form/use-zod-form';
import { Dialog } from '../../ui/dialog';
import { useToast } from '../../ui/toast';
import { useTRPC } from '../office/trpc';

interface NewCodeDialogProps {
  storeId: string;
  /** The table's name, if it is known. */
  table?: string;
  /** Shown above the form. */
  text?: string;
  onClose: () => void;
}

export function NewCodeDialog({ storeId, table = '', text, onClose }: NewCodeDialogProps) {
  const t = useTranslations('qrCodes');
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const router = useRouter();
  const toast = useToast();
  const generate = useMutation(trpc.qrCodes.generate.mutationOptions());
  const form = useZodForm(tableCodeInput, {
    storeId,
    table,
    billId: null,
    guests: null,
    openHours: 4,
  });

  async function save(wish: TableCodeInput): Promise<void> {
    const { qrCodeId, isNew } = await generate.mutateAsync(wish);
    toast.done(t(isNew ? 'made' : 'alreadyOpen'));
    await queryClient.invalidateQueries({ queryKey: [['qrCodes']] });
    onClose();
    router.push(`/qr-codes/${qrCodeId}`);
  }
  return (
    <Dialog open onClose={onClose} title={t('newTitle')}>
      {text ? <p className="mb-5 text-muted">{text}</p> : null}
      <Form form={form} onSave={save} saveLabel={t('make')} onCancel={onClose}>
        <TextField name="table" label={t('table')} autoComplete="off" />
        <TextField
          name="billId"
          label={t('bill')}
          hint={t('billHint')}
          optional
          autoComplete="off"
          spellCheck={false}
        />
        <div className="grid grid-cols-2 gap-4">
          <NumberField name="guests" label={t('guests')} optional />
          <NumberField name="openHours" label={t('validFor')} end={t('hours')} />
        </div>
      </Form>
    </Dialog>
  );
}
