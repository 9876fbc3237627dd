'use client';

import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import type { StaffRole } from '@/server/domain/kernel/context';
import { ConfirmDialog } from '../../ui/confirm-dialog';
import { SelectBox } from '../../ui/select';
import { useTRPC } from '../office/trpc';
import { useChange } from '../state/use-change';
import { useRoleOptions } from './roles';
import type { Member } from './types';

/**
 * Changes a member's role at once. Changing one's own asks for confirmation, because one may be unable to change it
 * back.
 */
export function RoleChoice({ member }: { member: Member }) {
  const t = useTranslations('staff');
  const trpc = useTRPC();
  const { toast, settle } = useChange('staff');
  const options = useRoleOptions();
  const [confirmingRole, setConfirmingRole] = useState<StaffRole | null>(null);
  const { userId, name, role, isYou, allStores } = member;
  const change = useMutation(
    trpc.staff.changeRole.mutationOptions({
      ...settle,
      onSuccess: (_, input) => {
        // A full page load, because the page's frame depends on the role.
        if (isYou) window.location.assign('/home');
        // An owner works for all stores, so undoing would not restore named stores.
        const isUndoable = input.role !== role && allStores;
        const undo = isUndoable ? () => change.mutate({ userId, role }) : undefined;
        toast.done(t('roleChanged', { name, role: input.role }), undo);
      },
    }),
  );
  return (
    <>
      <SelectBox
        aria-label={t('roleOf', { name })}
        value={change.isPending ? change.variables.role : role}
        disabled={change.isPending}
        onChange={(event) => {
          const to = event.target.value as StaffRole;
          if (isYou) setConfirmingRole(to);
          else change.mutate({ userId, role: to });
        }}
        options={options}
        className="min-h-9"
      />
      <ConfirmDialog
        open={confirmingRole !== null}
        title={t('ownRoleTitle')}
        confirmLabel={t('changeRole')}
        isDangerous
        onCancel={() => setConfirmingRole(null)}
        onConfirm={() => {
          if (confirmingRole) change.mutate({ userId, role: confirmingRole });
          setConfirmingRole(null);
        }}
      >
        {t('ownRoleText')}
      </ConfirmDialog>
    </>
  );
}
