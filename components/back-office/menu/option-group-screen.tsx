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
import { Skeleton } from '../../ui/skeleton';
import { useToast } from '../../ui/toast';
import { LoadError } from '../load-error';
import { ManagersOnly } from '../managers-only';
import { neverFromMemory, useTRPC } from '../trpc';
import { type OptionGroupAnswer, OptionGroupForm } from './option-group-form';
import { useMenuChange } from './use-menu-change';

const list = '/menu/options';

export function NewOptionGroupScreen() {
  const t = useTranslations('menu');
  const trpc = useTRPC();
  const router = useRouter();
  const { onSettled } = useMenuChange();
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
  const { onSettled } = useMenuChange();
  const {
    data: group,
    error,
    refetch,
  } = useQuery(trpc.menu.optionGroup.queryOptions({ optionGroupId }, neverFromMemory));
  const update = useMutation(trpc.menu.updateOptionGroup.mutationOptions({ onSettled }));
  if (!group) {
    if (error) return <LoadError error={error} onRetry={refetch} />;
    return <Skeleton label={t('common.loading')} className="h-96" />;
  }
  return (
    <ManagersOnly>
      <PageHeader
        title={group.name}
        description={t('menu.usedBy', { count: group.itemCount })}
        back={{ href: list, label: t('menu.optionGroups') }}
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
  const toast = useToast();
  const [isAsking, setAsking] = useState(false);
  const change = useMenuChange();
  const { mutate, isPending } = useMutation(
    trpc.menu.deleteOptionGroup.mutationOptions({
      ...change,
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
