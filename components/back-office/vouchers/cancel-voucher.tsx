'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { cancelVoucherInput } from '@/server/domain/vouchers/campaign-schemas';
import { TextField } from '../../form/fields';
import { Form } from '../../form/form';
import { useZodForm } from '../../form/use-zod-form';
import { Dialog } from '../../ui/dialog';
import { useTRPC } from '../office/trpc';
import type { ListedVoucher } from './types';

const reasonInput = cancelVoucherInput.pick({ reason: true });

/** Cancels a voucher, with a reason. */
export function CancelVoucher({ voucher, onClose }: { voucher: ListedVoucher; onClose: () => void }) {
  const t = useTranslations('vouchers');
  const tCommon = useTranslations('common');
  const queryClient = useQueryClient();
  const cancel = useMutation(useTRPC().vouchers.cancel.mutationOptions());
  const form = useZodForm(reasonInput, { reason: '' });
  const { voucherId, voucherCode, customerName } = voucher;
  return (
    <Dialog open onClose={onClose} title={t('cancelTitle', { code: voucherCode })}>
      <p className="mb-5 leading-relaxed text-muted">{t('cancelText', { name: customerName })}</p>
      <Form
        form={form}
        saveLabel={t('cancelVoucher')}
        savedMessage={t('cancelledToast')}
        isDangerous
        cancelLabel={t('keepVoucher')}
        onCancel={onClose}
        onSave={async ({ reason }) => {
          await cancel.mutateAsync({ voucherId, reason });
          await Promise.all([
            queryClient.invalidateQueries({ queryKey: [['vouchers']] }),
            queryClient.invalidateQueries({ queryKey: [['campaigns']] }),
          ]);
          onClose();
        }}
      >
        <TextField name="reason" label={tCommon('reason')} hint={t('reasonHint')} autoComplete="off" />
      </Form>
    </Dialog>
  );
}
