import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { displayName } from '@/server/domain/identity/rules';
import { ConfirmDialog } from '../../ui/confirm-dialog';
import { useTRPC } from '../office/trpc';
import { useFormat } from '../state/format';
import { useChange } from '../state/use-change';
import type { CustomerDetail } from './types';

interface SendPinDialogProps {
  detail: CustomerDetail;
  open: boolean;
  onClose: () => void;
}

/** Asks for confirmation, because the old PIN stops working. */
export function SendPinDialog({ detail: { customer }, open, onClose }: SendPinDialogProps) {
  const t = useTranslations('customers');
  const { dateTime } = useFormat();
  const { toast, settle } = useChange('customers', 'messages');
  const send = useMutation(
    useTRPC().customers.resetPin.mutationOptions({
      ...settle,
      onSuccess: ({ phone, lockedUntil }) =>
        toast.done(lockedUntil ? t('pinSentLocked', { phone, time: dateTime(lockedUntil) }) : t('pinSent', { phone })),
    }),
  );
  return (
    <ConfirmDialog
      open={open}
      title={t('sendPinTitle')}
      confirmLabel={t('sendPin')}
      onCancel={onClose}
      onConfirm={() => {
        onClose();
        send.mutate({ customerId: customer.customerId });
      }}
    >
      {t('sendPinText', { name: displayName(customer), phone: customer.phone ?? '' })}
    </ConfirmDialog>
  );
}
