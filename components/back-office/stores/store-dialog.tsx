'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import type { StoreDetails } from '@/server/domain/merchants';
import { storeDetails } from '@/server/domain/merchants/schemas';
import { TextField } from '../../form/fields';
import { Form } from '../../form/form';
import { useZodForm } from '../../form/use-zod-form';
import { Dialog } from '../../ui/dialog';
import { useToast } from '../../ui/toast';
import { DayStartField } from '../fields/day-start-field';
import { useTRPC } from '../office/trpc';
import type { Store } from './store-opening';

interface StoreDialogProps {
  /** Null for a new one. */
  store: Store | null;
  onClose: () => void;
}

export function StoreDialog({ store, onClose }: StoreDialogProps) {
  const t = useTranslations('stores');
  const tCommon = useTranslations('common');
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const toast = useToast();
  const create = useMutation(trpc.stores.create.mutationOptions());
  const change = useMutation(trpc.stores.change.mutationOptions());
  const { storeCode = '', name = '', address = '', phone = '', dayStartsAt = null } = store ?? {};
  const form = useZodForm(storeDetails, { storeCode, name, address, phone, dayStartsAt });
  const { dirtyFields } = form.formState;

  async function save(details: StoreDetails): Promise<void> {
    const changed = Object.entries(details).filter(([field]) => field in dirtyFields);
    if (store) await change.mutateAsync({ storeId: store.storeId, ...Object.fromEntries(changed) });
    else await create.mutateAsync(details);
    toast.done(store ? t('changed') : t('created', { name: details.name }));
    await queryClient.invalidateQueries({ queryKey: [['stores']] });
    onClose();
  }
  return (
    <Dialog open onClose={onClose} title={store ? t('editTitle', { name: store.name }) : t('createTitle')}>
      <Form form={form} onSave={save} saveLabel={store ? tCommon('save') : t('create')} onCancel={onClose}>
        <TextField name="name" label={tCommon('name')} hint={t('nameHint')} autoComplete="off" />
        <TextField
          name="storeCode"
          label={t('code')}
          hint={store?.isCodeFixed ? t('codeFixedHint') : t('codeHint')}
          readOnly={store?.isCodeFixed ?? false}
          autoComplete="off"
          spellCheck={false}
          className="font-mono"
        />
        <TextField name="address" label={t('address')} hint={t('contactHint')} autoComplete="street-address" optional />
        <TextField name="phone" type="tel" label={t('phone')} hint={t('contactHint')} autoComplete="tel" optional />
        <DayStartField
          name="dayStartsAt"
          label={t('dayStartsAt')}
          hint={t('dayStartsAtHint')}
          none={t('dayOfBusiness')}
        />
      </Form>
    </Dialog>
  );
}
