'use client';

import { useMutation, useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { storesChange } from '@/server/domain/access/schemas';
import { Form } from '../../form/form';
import { useZodForm } from '../../form/use-zod-form';
import { Dialog } from '../../ui/dialog';
import { StoresField } from '../fields/stores-field';
import { useTRPC } from '../office/trpc';
import { useChange } from '../state/use-change';
import type { Member } from './types';

interface Stores {
  allStores: boolean;
  storeIds: string[];
}

/** The names of a person's stores. */
export function StoreNames({ allStores, storeIds }: Stores) {
  const tCommon = useTranslations('common');
  const { data } = useQuery(useTRPC().stores.list.queryOptions());
  if (allStores) return tCommon('allStores');
  const names = data?.stores.filter(({ storeId }) => storeIds.includes(storeId)).map(({ name }) => name);
  return names?.join(', ');
}

/** A member's stores, with a button to change them for everyone but owners. */
export function StaffStores({ member }: { member: Member }) {
  const t = useTranslations('staff');
  const tCommon = useTranslations('common');
  const [isEditing, setEditing] = useState(false);
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <span className="min-w-0 wrap-anywhere">
        <StoreNames {...member} />
      </span>
      {member.role === 'owner' ? null : (
        <button
          type="button"
          className="min-h-8 font-medium text-ink underline decoration-edge underline-offset-4 hover:decoration-ink"
          onClick={() => setEditing(true)}
        >
          {tCommon('edit')}
          <span className="sr-only"> {t('storesOf', { name: member.name })}</span>
        </button>
      )}
      {isEditing ? <StoresDialog member={member} onClose={() => setEditing(false)} /> : null}
    </span>
  );
}

function StoresDialog({ member, onClose }: { member: Member; onClose: () => void }) {
  const t = useTranslations('staff');
  const tCommon = useTranslations('common');
  const { toast, settle } = useChange('staff');
  const change = useMutation(useTRPC().staff.setStores.mutationOptions({ onSettled: settle.onSettled }));
  const { userId, name, allStores, storeIds } = member;
  const form = useZodForm(storesChange, { userId, allStores, storeIds });
  return (
    <Dialog open onClose={change.isPending ? undefined : onClose} title={t('storesOf', { name })}>
      <Form
        form={form}
        saveLabel={tCommon('save')}
        onCancel={onClose}
        onSave={async (input) => {
          await change.mutateAsync(input);
          toast.done(t('storesChanged', { name }));
          onClose();
        }}
      >
        <StoresField hint={t('storesHint')} />
      </Form>
    </Dialog>
  );
}
