'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useId, useState } from 'react';
import { type FieldError, useFormContext } from 'react-hook-form';
import { keyScopes, maxKeyNetworks, setKeyAccessInput } from '@/server/domain/merchants/schemas';
import { CheckboxesField } from '../../form/fields';
import { Form } from '../../form/form';
import { useField } from '../../form/use-field';
import { useZodForm } from '../../form/use-zod-form';
import { Dialog } from '../../ui/dialog';
import { describedBy, FieldFrame, inputLook } from '../../ui/field';
import { useTRPC } from '../office/trpc';
import type { ApiKey } from './key-facts';

/** Changes what a key may do, and from where. */
export function AccessDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const t = useTranslations('apiKeys');
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const setAccess = useMutation(trpc.apiKeys.setAccess.mutationOptions());
  const { apiKeyId, name, scopes, networks } = apiKey;
  const form = useZodForm(setKeyAccessInput, { apiKeyId, scopes, networks });
  return (
    <Dialog open onClose={onClose} title={t('accessTitle', { name })}>
      <Form
        form={form}
        onSave={async (input) => {
          await setAccess.mutateAsync(input);
          await queryClient.invalidateQueries({ queryKey: [['apiKeys']] });
          onClose();
        }}
        savedMessage={t('accessToast', { name })}
        onCancel={onClose}
      >
        <AccessFields />
      </Form>
    </Dialog>
  );
}

export function AccessFields() {
  const t = useTranslations('apiKeys');
  const options = keyScopes.map((value) => ({ value, label: t(`scopes.${value}`), hint: t(`scopeHints.${value}`) }));
  return (
    <>
      <CheckboxesField name="scopes" label={t('scope')} hint={t('scopeHint')} options={options} />
      <NetworksField />
    </>
  );
}

/** One network per line. Blank lines are dropped. */
function NetworksField() {
  const t = useTranslations('apiKeys');
  const tCommon = useTranslations('common');
  const id = useId();
  const { field } = useField('networks');
  const networks: string[] = field.value;
  const [draft, setDraft] = useState(networks.join('\n'));
  const error = useNetworksError(networks);
  const hint = t('networksHint');
  return (
    <FieldFrame id={id} label={t('networks')} hint={hint} optional={tCommon('optional')} error={error}>
      <textarea
        {...describedBy(id, { hint, error })}
        id={id}
        ref={field.ref}
        name={field.name}
        rows={3}
        spellCheck={false}
        autoCapitalize="off"
        value={draft}
        onChange={(event) => {
          setDraft(event.target.value);
          const lines = event.target.value.split('\n').map((line) => line.trim());
          field.onChange(lines.filter((line) => line !== ''));
        }}
        onBlur={field.onBlur}
        className={`${inputLook(Boolean(error))} py-2.5 font-mono text-sm`}
      />
    </FieldFrame>
  );
}

/** The problem of the list, or of its first invalid network. */
function useNetworksError(networks: string[]): string | null {
  const t = useTranslations('apiKeys');
  const { errors } = useFormContext().formState;
  if (!errors.networks) return null;
  const ofLines = Object.entries(errors.networks as unknown as Record<string, FieldError | undefined>);
  const [at, error] = ofLines.find(([, line]) => line?.message) ?? [];
  if (at === undefined || !error?.message) return t('tooManyNetworks', { count: maxKeyNetworks });
  return t('networkProblem', { network: networks[Number(at)] ?? '', problem: error.message });
}
