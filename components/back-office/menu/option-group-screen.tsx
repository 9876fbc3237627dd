'use client';

import { useMutation, useQuery } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { Opened } from '../../form/opened';
import { Button } from '../../ui/button';
import { ConfirmDialog } from '../../ui/confirm-dialog';
import { PageHeader } from '../../ui/page-header';
import { ManagersOnly } from '../office/managers-only';
import { neverFromMemory, useTRPC } from '../office/trpc';
import { Waiting } from '../state/loaded';
import { useChange } from '../state/use-change';
import { type OptionGroupAnswer, OptionGroupForm } from './option-group-form';

const list = '/menu/options';

export function NewOptionGroupScreen() {
  const t = useTranslations('menu');
  const trpc = useTRPC();
  const router = useRouter();
  const { onSettled } = useChange('menu').settle;
  const create = useMutation(trpc.menu.createOptionGroup.mutationOptions({ onSettled }));
  return (
    <ManagersOnly>
      <PageHeader title={t('newOptionGroup')} back={{ href: list, label: t('optionGroups') }} />
      <OptionGroupForm
        group={null}
        savedMessage={t('optionGroupAdded')}
        onSave={async (values) => {
          await create.mutateAsync(values);
          router.push(list);
        }}
        onCancel={() => router.push(list)}
      />
    </ManagersOnly>
  );
}

export function OptionGroupScreen({ optionGroupId }: { optionGroupId: string }) {
  const t = useTranslations();
  const trpc = useTRPC();
  const router = useRouter();
  const { onSettled } = useChange('menu').settle;
  const {
    data: group,
    error,
    refetch,
  } = useQuery(trpc.menu.optionGroup.queryOptions({ optionGroupId }, neverFromMemory));
  const update = useMutation(trpc.menu.updateOptionGroup.mutationOptions({ onSettled }));
  const back = { href: list, label: t('menu.optionGroups') };
  if (!group) {
    return (
      <ManagersOnly>
        <PageHeader title={t('menu.optionGroups')} back={back} />
        <Waiting error={error} refetch={refetch} />
      </ManagersOnly>
    );
  }
  return (
    <ManagersOnly>
      <PageHeader
        title={group.name}
        description={t('menu.usedBy', { count: group.itemCount })}
        back={back}
        actions={<DeleteButton group={group} />}
      />
      <Opened present={group} refetch={refetch}>
        {(opened) => (
          <OptionGroupForm
            group={opened}
            savedMessage={t('menu.optionGroupSaved')}
            onSave={async (values) => {
              await update.mutateAsync({ ...values, optionGroupId, revision: opened.revision });
              router.push(list);
            }}
            onCancel={() => router.push(list)}
          />
        )}
      </Opened>
    </ManagersOnly>
  );
}

function DeleteButton({ group: { optionGroupId, name, itemCount } }: { group: OptionGroupAnswer }) {
  const t = useTranslations();
  const trpc = useTRPC();
  const router = useRouter();
  const [isAsking, setAsking] = useState(false);
  const { toast, settle } = useChange('menu');
  const { mutate, isPending } = useMutation(
    trpc.menu.deleteOptionGroup.mutationOptions({
      ...settle,
      onSuccess: () => {
        toast.done(t('menu.optionGroupDeleted', { name }));
        router.push(list);
      },
    }),
  );
  return (
    <>
      <Button variant="danger" size="small" busy={isPending} onClick={() => setAsking(true)}>
        <Trash2 className="size-4" aria-hidden="true" />
        {t('common.delete')}
      </Button>
      <ConfirmDialog
        open={isAsking}
        title={t('menu.deleteOptionGroupTitle', { name })}
        confirmLabel={t('common.delete')}
        isDangerous
        onCancel={() => setAsking(false)}
        onConfirm={() => {
          setAsking(false);
          mutate({ optionGroupId });
        }}
      >
        {t('menu.deleteOptionGroupText', { count: itemCount })}
      </ConfirmDialog>
    </>
  );
}
