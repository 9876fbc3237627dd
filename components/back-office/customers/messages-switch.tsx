'use client';

import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { Switch } from '../../ui/switch';
import { useTRPC } from '../office/trpc';
import { useChange } from '../state/use-change';
import type { CustomerDetail } from './types';

/** Whether the customer gets messages about vouchers and balance. The customer decides, and staff record it. */
export function MessagesSwitch({ detail: { customer, wantsMessages } }: { detail: CustomerDetail }) {
  const t = useTranslations('customers');
  const { toast, settle } = useChange('customers');
  const change = useMutation(
    useTRPC().customers.setMessages.mutationOptions({
      ...settle,
      onSuccess: (_, input) => toast.done(input.wantsMessages ? t('messagesOnToast') : t('messagesOffToast')),
    }),
  );
  return (
    <div className="mt-4 flex items-start justify-between gap-4 border-t border-line pt-4 text-sm">
      <div className="min-w-0">
        <p id="wants-messages" className="font-medium">
          {t('wantsMessages')}
        </p>
        <p id="wants-messages-hint" className="mt-0.5 text-muted">
          {t('wantsMessagesText')}
        </p>
      </div>
      <Switch
        checked={change.isPending ? change.variables.wantsMessages : wantsMessages}
        onChange={(wanted) => change.mutate({ customerId: customer.customerId, wantsMessages: wanted })}
        disabled={change.isPending}
        labelledBy="wants-messages"
        describedBy="wants-messages-hint"
      />
    </div>
  );
}
