'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import type { StaffRole } from '@/server/domain/staff/sign-in';
import { ConfirmDialog } from '../../ui/confirm-dialog';
import { SelectBox } from '../../ui/select';
import { useToast } from '../../ui/toast';
import { useRefusalText } from '../refusal';
import { useTRPC } from '../trpc';
import { useRoleOptions } from './roles';
import type { Member } from './types';

/** Changes somebody's role at once; one's own only after asking, for there may be no way back. */
export function RoleChoice({ member }: { member: Member }) {
  const t = useTranslations('staff');
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const toast = useToast();
  const refusalText = useRefusalText();
  const options = useRoleOptions();
  const [asked, setAsked] = useState<StaffRole | null>(null);
  const { userId, name, role, isYou } = member;
  const change = useMutation(
    trpc.staff.changeRole.mutationOptions({
      onSuccess: (_, input) => {
        // A full load: the frame of the page is made for the role.
        if (isYou) window.location.assign('/home');
        const undo = input.role === role ? undefined : () => change.mutate({ userId, role });
        toast.done(t('roleChanged', { name, role: input.role }), undo);
      },
      onError: (error) => toast.failed(refusalText(error)),
      onSettled: () => queryClient.invalidateQueries({ queryKey: [['staff']] }),
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
          if (isYou) setAsked(to);
          else change.mutate({ userId, role: to });
        }}
        options={options}
        className="min-h-9"
      />
      <ConfirmDialog
        open={asked !== null}
        title={t('ownRoleTitle')}
        confirmLabel={t('changeRole')}
        isDangerous
        onCancel={() => setAsked(null)}
        onConfirm={() => {
          if (asked) change.mutate({ userId, role: asked });
          setAsked(null);
        }}
      >
        {t('ownRoleText')}
      </ConfirmDialog>
    </>
  );
}
