'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { useWatch } from 'react-hook-form';
import { z } from 'zod';
import { problem } from '@/server/domain/kernel/say';
import { createEndpointInput, eventTypes } from '@/server/domain/webhooks/schemas';
import { CheckboxesField, RadioField, TextField } from '../../form/fields';
import { Form } from '../../form/form';
import { OnlyWhen } from '../../form/only-when';
import { useZodForm } from '../../form/use-zod-form';
import { Button } from '../../ui/button';
import { Dialog } from '../../ui/dialog';
import { useOffice } from '../office/office';
import { useTRPC } from '../office/trpc';
import { CopyBlock } from '../state/copy-block';
import type { Endpoint } from './endpoint-facts';

/** All types are null in the input. */
const endpointForm = z
  .strictObject({
    ...createEndpointInput.shape,
    which: z.enum(['all', 'some']),
    eventTypes: z.array(z.enum(eventTypes)),
  })
  .refine(({ which, eventTypes: chosen }) => which === 'all' || chosen.length > 0, {
    path: ['eventTypes'],
    ...problem('required'),
  })
  .transform(({ which, ...input }) => ({ ...input, eventTypes: which === 'all' ? null : input.eventTypes }));

/** Creates an endpoint and shows its secret once. */
export function NewEndpointDialog({ onClose }: { onClose: () => void }) {
  const t = useTranslations('webhooks');
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const create = useMutation(trpc.webhooks.create.mutationOptions());
  const form = useZodForm(endpointForm, { url: '', description: '', which: 'all', eventTypes: [] });
  const [secret, setSecret] = useState<string | null>(null);
  if (secret !== null) return <ShownSecret value={secret} onClose={onClose} />;
  return (
    <Dialog open onClose={create.isPending ? undefined : onClose} title={t('createTitle')}>
      <Form
        form={form}
        onSave={async (input) => {
          setSecret((await create.mutateAsync(input)).secret);
          await queryClient.invalidateQueries({ queryKey: [['webhooks']] });
        }}
        saveLabel={t('create')}
        onCancel={onClose}
      >
        <EndpointFields />
      </Form>
    </Dialog>
  );
}

export function EditEndpointDialog({ endpoint, onClose }: { endpoint: Endpoint; onClose: () => void }) {
  const t = useTranslations('webhooks');
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const change = useMutation(trpc.webhooks.change.mutationOptions());
  const { endpointId, url, description, eventTypes: chosen } = endpoint;
  const which = chosen ? 'some' : 'all';
  const form = useZodForm(endpointForm, { url, description, which, eventTypes: chosen ?? [] });
  return (
    <Dialog open onClose={change.isPending ? undefined : onClose} title={t('editTitle')}>
      <Form
        form={form}
        onSave={async (input) => {
          await change.mutateAsync({ endpointId, ...input });
          await queryClient.invalidateQueries({ queryKey: [['webhooks']] });
          onClose();
        }}
        savedMessage={t('savedToast')}
        onCancel={onClose}
      >
        <EndpointFields />
      </Form>
    </Dialog>
  );
}

/** The names of a developer's own machine, to whose sandbox the service also sends without TLS. */
const ownMachine = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

function EndpointFields() {
  const t = useTranslations('webhooks');
  const sendsHere = useOffice().isSandbox && ownMachine.test(window.location.hostname);
  const which = useWatch({ name: 'which' });
  const types = eventTypes.map((value) => ({ value, label: t(`types.${value}`) }));
  return (
    <>
      <TextField
        name="url"
        label={t('url')}
        hint={t(sendsHere ? 'urlHintHere' : 'urlHint')}
        type="url"
        autoComplete="off"
        spellCheck={false}
      />
      <TextField name="description" label={t('note')} hint={t('noteHint')} autoComplete="off" />
      <RadioField
        name="which"
        label={t('events')}
        options={[
          { value: 'all', label: t('allEvents'), hint: t('allEventsHint') },
          { value: 'some', label: t('someEvents') },
        ]}
      />
      <OnlyWhen is={which === 'some'} names={['eventTypes']}>
        <CheckboxesField name="eventTypes" label={t('someEvents')} hint={t('chooseEvents')} options={types} />
      </OnlyWhen>
    </>
  );
}

/** Gives the endpoint a new secret and shows it once. */
export function RotateSecretDialog({ endpointId, onClose }: { endpointId: string; onClose: () => void }) {
  const t = useTranslations('webhooks');
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const rotate = useMutation(trpc.webhooks.rotateSecret.mutationOptions());
  const form = useZodForm(z.strictObject({}), {});
  const [secret, setSecret] = useState<string | null>(null);
  if (secret !== null) return <ShownSecret value={secret} onClose={onClose} />;
  return (
    <Dialog open onClose={rotate.isPending ? undefined : onClose} title={t('rotateTitle')}>
      <Form
        form={form}
        onSave={async () => {
          setSecret((await rotate.mutateAsync({ endpointId })).secret);
          await queryClient.invalidateQueries({ queryKey: [['webhooks']] });
        }}
        saveLabel={t('rotate')}
        onCancel={onClose}
      >
        <p className="leading-relaxed text-muted">{t('rotateText')}</p>
      </Form>
    </Dialog>
  );
}

/** Shows a new secret. It is never shown again, so only its button closes the dialog. */
function ShownSecret({ value, onClose }: { value: string; onClose: () => void }) {
  const t = useTranslations('webhooks');
  return (
    <Dialog open title={t('secretTitle')}>
      <p className="mb-5 leading-relaxed text-muted">{t('secretText')}</p>
      <CopyBlock title={t('secret')} value={value} />
      <Button className="mt-6" onClick={onClose}>
        {t('stored')}
      </Button>
    </Dialog>
  );
}
