'use client';

import { useMutation, useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useRef } from 'react';
import { z } from 'zod';
import { uuid } from '@/server/domain/kernel/schemas';
import { RadioField } from '../../form/fields';
import { Form } from '../../form/form';
import { useZodForm } from '../../form/use-zod-form';
import { Dialog } from '../../ui/dialog';
import { useTRPC } from '../office/trpc';
import { Waiting } from '../state/loaded';
import { useChange } from '../state/use-change';
import { useTermsText } from '../vouchers/use-terms-text';

const chosenCampaign = z.strictObject({ campaignId: uuid });

interface IssueVoucherProps {
  customerId: string;
  customerName: string;
  onClose: () => void;
}

/** Issues a voucher of an active campaign to one customer. */
export function IssueVoucherDialog({ customerId, customerName, onClose }: IssueVoucherProps) {
  const t = useTranslations('counter');
  const trpc = useTRPC();
  const termsText = useTermsText();
  const { data, error, refetch } = useQuery(trpc.vouchers.givable.queryOptions());
  const { settle } = useChange('campaigns', 'vouchers', 'customers');
  const give = useMutation(trpc.vouchers.give.mutationOptions({ onSettled: settle.onSettled }));
  const form = useZodForm(chosenCampaign, { campaignId: '' });
  // A retry after a lost response repeats the same issue. Another campaign gets a new one.
  const last = useRef({ campaignId: '', issueId: '' });
  return (
    <Dialog open onClose={onClose} title={t('issueTitle')}>
      {!data ? (
        <Waiting error={error} refetch={refetch} />
      ) : data.length === 0 ? (
        <p className="text-muted">{t('noCampaigns')}</p>
      ) : (
        <>
          <p className="mb-5 leading-relaxed text-muted">{t('issueText', { name: customerName })}</p>
          <Form
            form={form}
            saveLabel={t('issueVoucher')}
            savedMessage={t('voucherIssued')}
            onCancel={onClose}
            onSave={async ({ campaignId }) => {
              if (last.current.campaignId !== campaignId) {
                last.current = { campaignId, issueId: crypto.randomUUID() };
              }
              await give.mutateAsync({ ...last.current, customerId });
              onClose();
            }}
          >
            <RadioField
              name="campaignId"
              label={t('campaign')}
              options={data.map((campaign) => ({
                value: campaign.campaignId,
                label: campaign.name,
                hint: termsText(campaign),
              }))}
            />
          </Form>
        </>
      )}
    </Dialog>
  );
}
