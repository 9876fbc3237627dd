'use client';

import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { ArrowRight } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { z } from 'zod';
import { displayName } from '@/server/domain/identity/rules';
import { uuid } from '@/server/domain/kernel/schemas';
import { RadioField } from '../../form/fields';
import { Form } from '../../form/form';
import { useZodForm } from '../../form/use-zod-form';
import { Dialog } from '../../ui/dialog';
import { CustomerPicker } from '../lists/customer-picker';
import type { FoundCustomer } from '../lists/use-customer-search';
import { useTRPC } from '../office/trpc';
import { useFormat } from '../state/format';
import { Waiting } from '../state/loaded';
import { useChange } from '../state/use-change';
import type { CustomerDetail, MergePreview } from './types';
import { useProfileItems } from './use-profile-items';

interface MergeDialogProps {
  detail: CustomerDetail;
  onClose: () => void;
}

/** Merges the customer with a duplicate: choose it, choose which one to keep, see the effect, confirm. */
export function MergeDialog({ detail: { customer }, onClose }: MergeDialogProps) {
  const t = useTranslations('customers');
  const [other, setOther] = useState<FoundCustomer | null>(null);
  const { customerId, phone, email } = customer;
  return (
    <Dialog open onClose={onClose} title={t('mergeTitle', { name: displayName(customer) })}>
      {other === null ? (
        <div className="flex flex-col gap-5">
          <p className="leading-relaxed text-muted">{t('mergeText')}</p>
          <CustomerPicker
            isOffered={(one) => one.customerId !== customerId && !one.isBlocked && !one.isErased && !one.isMerged}
            onPick={setOther}
          />
        </div>
      ) : (
        <MergeForm one={{ customerId, name: displayName(customer), phone, email }} other={other} onClose={onClose} />
      )}
    </Dialog>
  );
}

type Candidate = Pick<FoundCustomer, 'customerId' | 'name' | 'phone' | 'email'>;

const chosen = z.strictObject({ keptId: uuid });

function MergeForm({ one, other, onClose }: { one: Candidate; other: Candidate; onClose: () => void }) {
  const t = useTranslations('customers');
  const trpc = useTRPC();
  const router = useRouter();
  const { settle } = useChange('customers', 'transactions', 'vouchers', 'campaigns', 'messages');
  const merge = useMutation(trpc.customers.merge.mutationOptions({ onSettled: settle.onSettled }));
  const form = useZodForm(chosen, { keptId: one.customerId });
  const idsOf = (keptId: string) => ({
    keptId,
    mergedId: keptId === one.customerId ? other.customerId : one.customerId,
  });
  const { data, error, refetch } = useQuery({
    ...trpc.customers.mergePreview.queryOptions(idsOf(form.watch('keptId'))),
    placeholderData: keepPreviousData,
  });
  return (
    <Form
      form={form}
      isDangerous
      saveLabel={t('merge')}
      savedMessage={t('mergedToast')}
      onCancel={onClose}
      onSave={async ({ keptId }) => {
        await merge.mutateAsync(idsOf(keptId));
        onClose();
        if (keptId !== one.customerId) router.push(`/customers/${keptId}`);
      }}
    >
      <RadioField
        name="keptId"
        label={t('mergeKeep')}
        options={[one, other].map(({ customerId, name, phone, email }) => ({
          value: customerId,
          label: name,
          hint: [phone, email].filter(Boolean).join(' · '),
        }))}
      />
      {data ? <Effect {...data} /> : <Waiting error={error} refetch={refetch} height="h-48" />}
      <p className="text-sm leading-relaxed text-muted">
        {t('mergeEffect')} <strong className="font-medium text-ink">{t('mergeForGood')}</strong>
      </p>
    </Form>
  );
}

/** What both customers have, before and after. */
function Effect({ kept, merged, after }: MergePreview) {
  const t = useTranslations('customers');
  const { money, number } = useFormat();
  const profileItems = useProfileItems();
  const rowsOf = (
    before: MergePreview['kept'],
    then: { principal: number; bonus: number; points: number; vouchers: number },
  ) => [
    { term: t('principal'), from: money(before.principal), to: money(then.principal) },
    { term: t('bonus'), from: money(before.bonus), to: money(then.bonus) },
    { term: t('points'), from: number(before.points), to: number(then.points) },
    { term: t('vouchers'), from: number(before.vouchers), to: number(then.vouchers) },
  ];
  const itemsAfter = profileItems(after);
  const profileRows = profileItems(kept).map(({ term, text }, index) => ({
    term,
    from: text ?? '–',
    to: itemsAfter[index]?.text ?? '–',
  }));
  const nothing = { principal: 0, bonus: 0, points: 0, vouchers: 0 };
  return (
    <section aria-label={t('mergePreview')} className="flex flex-col gap-4 rounded-xl border border-line p-4 text-sm">
      <Changes title={t('mergeKept', { name: kept.name })} rows={[...rowsOf(kept, after), ...profileRows]} />
      <Changes title={t('mergeMerged', { name: merged.name })} rows={rowsOf(merged, nothing)} />
    </section>
  );
}

function Changes({ title, rows }: { title: string; rows: { term: string; from: string; to: string }[] }) {
  return (
    <div>
      <h3 className="font-medium wrap-anywhere">{title}</h3>
      <dl className="mt-1 flex flex-col gap-1">
        {rows.map(({ term, from, to }) => (
          <div key={term} className="flex justify-between gap-4">
            <dt className="shrink-0 text-muted">{term}</dt>
            <dd className="flex min-w-0 items-center gap-2 text-right tabular-nums wrap-anywhere">
              {from === to ? null : (
                <>
                  <span className="text-muted">{from}</span>
                  <ArrowRight className="size-3.5 shrink-0 text-muted" role="img" aria-label="→" />
                </>
              )}
              <span className="min-w-0 font-medium">{to}</span>
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
