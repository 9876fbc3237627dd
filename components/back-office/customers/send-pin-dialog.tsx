import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { ConfirmDialog } from '../../ui/confirm-dialog';
import { useToast } from '../../ui/toast';
import { useFormat } from '../format';
import { useRefusalText } from '../refusal';
import { useTRPC } from '../trpc';
import { type CustomerDetail, fullName } from './types';

interface SendPinDialogProps {
  detail: CustomerDetail;
  open: boolean;
  onClose: () => void;
}

/** Asks before the old PIN ends. */
export function SendPinDialog({ detail: { customer }, open, onClose }: SendPinDialogProps) {
  const t = useTranslations('customers');
  const { dateTime } = useFormat();
  const queryClient = useQueryClient();
  const toast = useToast();
  const refusalText = useRefusalText();
  const send = useMutation(
    useTRPC().customers.resetPin.mutationOptions({
      onSuccess: ({ phone, lockedUntil }) =>
        toast.done(lockedUntil ? t('pinSentLocked', { phone, time: dateTime(lockedUntil) }) : t('pinSent', { phone })),
      onError: (error) => toast.failed(refusalText(error)),
      onSettled: () =>
        Promise.all([
          queryClient.invalidateQueries({ queryKey: [['customers']] }),
          queryClient.invalidateQueries({ queryKey: [['messages']] }),
        ]),
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
      {t('sendPinText', { name: fullName(customer), phone: customer.phone ?? '' })}
    </ConfirmDialog>
  );
}
