'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { inferRouterOutputs } from '@trpc/server';
import { useTranslations } from 'next-intl';
import { useWatch } from 'react-hook-form';
import type { NoticeKind } from '@/server/domain/kernel/context';
import { templateInput } from '@/server/domain/messaging/schemas';
import { fillBody, numberedBody, placeholders } from '@/server/domain/messaging/wording';
import type { StaffRouter } from '@/server/trpc/staff/router';
import { dinerLanguages } from '../../diner/words';
import { SwitchField, TextAreaField, TextField } from '../../form/fields';
import { Form } from '../../form/form';
import { Opened } from '../../form/opened';
import { useZodForm } from '../../form/use-zod-form';
import { Dialog } from '../../ui/dialog';
import { useOffice } from '../office/office';
import { useTRPC } from '../office/trpc';
import { CopyBlock } from '../state/copy-block';
import { useFormat } from '../state/format';

export type Template = inferRouterOutputs<StaffRouter>['messages']['templates']['templates'][number];

interface TemplateDialogProps {
  template: Template;
  onClose: () => void;
}

/** Edits the text of one kind of notice in one language, and whether it is sent. */
export function TemplateDialog({ template, onClose }: TemplateDialogProps) {
  const t = useTranslations('messages');
  const templates = useQuery(useTRPC().messages.templates.queryOptions());
  const { kind, language } = template;
  async function refetch() {
    const { data } = await templates.refetch();
    return { data: data?.templates.find((one) => one.kind === kind && one.language === language) };
  }
  return (
    <Dialog open onClose={onClose} title={t('templateTitle', { kind: t(kind), language: dinerLanguages[language] })}>
      <Opened present={template} refetch={refetch}>
        {(opened) => <TemplateForm template={opened} onClose={onClose} />}
      </Opened>
    </Dialog>
  );
}

function TemplateForm({ template: { revision, ...template }, onClose }: TemplateDialogProps) {
  const t = useTranslations('messages');
  const queryClient = useQueryClient();
  const save = useMutation(useTRPC().messages.saveTemplate.mutationOptions());
  const form = useZodForm(templateInput, template);
  const { kind } = template;
  const names = placeholders[kind].map((name) => `{${name}}`).join(' ');
  return (
    <Form
      form={form}
      savedMessage={t('templateSaved')}
      onCancel={onClose}
      onSave={async (input) => {
        await save.mutateAsync({ ...input, revision });
        await queryClient.invalidateQueries({ queryKey: [['messages']] });
        onClose();
      }}
    >
      <SwitchField name="isOn" label={t('isOn')} hint={t('isOnHint')} />
      <TextAreaField name="body" label={t('body')} hint={t('bodyHint', { placeholders: names })} rows={4} />
      <Preview kind={kind} />
      <TextField
        name="templateName"
        label={t('templateName')}
        hint={t('templateNameHint')}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
    </Form>
  );
}

/** Previews the typed text as a customer reads it, and as it is submitted to the messenger for approval. */
function Preview({ kind }: { kind: NoticeKind }) {
  const t = useTranslations('messages');
  const { merchant } = useOffice();
  const { money, date } = useFormat();
  const body: string = useWatch({ name: 'body' }) ?? '';
  const day = date(new Date(Date.now() + 7 * 24 * 60 * 60_000).toISOString());
  const values = {
    name: t('exampleName'),
    merchant: merchant.name,
    voucher: t('exampleVoucher'),
    code: t('exampleCode'),
    until: day,
    date: day,
    value: `${money(2_000)}, ${t('exampleVoucher')}`,
    amount: money(12_000),
    bonus: money(2_000),
    balance: money(15_550),
    change: `+${money(500)}`,
    items: t('exampleItems'),
    total: money(2_350),
    paid: t('examplePaid', { amount: money(2_350) }),
  };
  return (
    <div className="flex flex-col gap-4 rounded-xl bg-tint p-4 text-sm">
      <div>
        <p className="font-medium">{t('preview')}</p>
        <p className="mt-1 leading-relaxed wrap-anywhere" data-testid="preview">
          {fillBody(body, Object.fromEntries(placeholders[kind].map((name) => [name, values[name]])))}
        </p>
      </div>
      <CopyBlock title={t('forWhatsapp')} value={numberedBody(body)} />
    </div>
  );
}
