'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { createApiKeyInput, defaultKeyLimits, tillScopes } from '@/server/domain/merchants/schemas';
import { SelectField, TextField } from '../../form/fields';
import { Form } from '../../form/form';
import { useZodForm } from '../../form/use-zod-form';
import { Dialog } from '../../ui/dialog';
import { useTRPC } from '../office/trpc';
import { AccessFields } from './access-dialog';
import { LimitFields } from './limits-dialog';
import { ShownKey } from './shown-key';

/** Creates a key and shows it once. */
export function NewKeyDialog({ onClose }: { onClose: () => void }) {
  const t = useTranslations('apiKeys');
  const tCommon = useTranslations('common');
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const { data } = useQuery(trpc.stores.list.queryOptions());
  const create = useMutation(trpc.apiKeys.create.mutationOptions());
  const form = useZodForm(createApiKeyInput, {
    name: '',
    storeId: null,
    scopes: [...tillScopes],
    networks: [],
    ...defaultKeyLimits,
  });
  const [key, setKey] = useState<string | null>(null);
  if (key !== null) return <ShownKey value={key} onClose={onClose} />;

  const open = data?.stores.filter(({ closedAt }) => closedAt === null) ?? [];
  return (
    <Dialog open onClose={create.isPending ? undefined : onClose} title={t('createTitle')}>
      <Form
        form={form}
        onSave={async (input) => {
          setKey((await create.mutateAsync(input)).key);
          await queryClient.invalidateQueries({ queryKey: [['apiKeys']] });
        }}
        saveLabel={t('create')}
        onCancel={onClose}
      >
        <TextField name="name" label={tCommon('name')} hint={t('nameHint')} autoComplete="off" />
        <SelectField
          name="storeId"
          label={tCommon('store')}
          hint={t('storeHint')}
          options={[
            { value: '', label: tCommon('allStores') },
            ...open.map(({ storeId, name }) => ({ value: storeId, label: name })),
          ]}
        />
        <AccessFields />
        <LimitFields />
      </Form>
    </Dialog>
  );
}
