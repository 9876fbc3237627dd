'use client';

import { browserSupportsWebAuthn, startRegistration } from '@simplewebauthn/browser';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { passkeyName } from '@/server/domain/access/schemas';
import { accountClient } from '../../calls/account-client';
import { TextField } from '../../form/fields';
import { Form } from '../../form/form';
import { useZodForm } from '../../form/use-zod-form';
import { Button } from '../../ui/button';
import { ConfirmDialog } from '../../ui/confirm-dialog';
import { Dialog } from '../../ui/dialog';
import { useToast } from '../../ui/toast';
import { useIsInBrowser } from '../../ui/use-is-in-browser';
import { useFormat } from '../state/format';
import { Factor, type Factors, LastOne, useFactorChange } from './factor';

type Passkey = Factors['passkeys'][number];

/** Adds a passkey of this device, or of another one that the browser offers. */
export function AddPasskey({ onCodes }: { onCodes: (codes: string[]) => void }) {
  const t = useTranslations('secondFactors');
  const toast = useToast();
  const isInBrowser = useIsInBrowser();
  const add = useFactorChange(
    async () => {
      const optionsJSON = await accountClient.newPasskey.mutate();
      const response = await startRegistration({ optionsJSON }).catch(() => null);
      return response && accountClient.addPasskey.mutate({ response });
    },
    (added) => {
      // The person cancelled, or the device already has a passkey of this account.
      if (!added) return toast.failed(t('passkeyNotAdded'));
      onCodes(added.recoveryCodes);
      if (added.recoveryCodes.length === 0) toast.done(t('passkeyAdded'));
    },
  );
  if (!isInBrowser || !browserSupportsWebAuthn()) return null;
  return (
    <Button variant="secondary" size="small" busy={add.isPending} onClick={() => add.mutate()}>
      {t('addPasskey')}
    </Button>
  );
}

export function PasskeyRow({ passkey, factors }: { passkey: Passkey; factors: Factors }) {
  const t = useTranslations('secondFactors');
  const format = useFormat();
  const toast = useToast();
  const [open, setOpen] = useState<'rename' | 'remove' | null>(null);
  const { passkeyId, name, isBackedUp, createdAt, lastUsedAt } = passkey;
  const remove = useFactorChange(
    () => accountClient.removePasskey.mutate({ passkeyId }),
    () => toast.done(t('passkeyRemoved')),
  );
  const facts = [
    isBackedUp ? t('synced') : t('thisDevice'),
    t('addedAt', { time: format.dateTime(createdAt) }),
    t('lastUsedAt', { time: format.dateTime(lastUsedAt) }),
  ];
  const close = () => setOpen(null);
  return (
    <Factor title={name} facts={facts}>
      <Button variant="secondary" size="small" aria-label={t('renameOf', { name })} onClick={() => setOpen('rename')}>
        {t('rename')}
      </Button>
      <Button
        variant="secondary"
        size="small"
        busy={remove.isPending}
        aria-label={t('removeOf', { name })}
        onClick={() => setOpen('remove')}
      >
        {t('remove')}
      </Button>
      <Dialog open={open === 'rename'} onClose={close} title={t('renameTitle')}>
        {open === 'rename' ? <Rename passkey={passkey} onClose={close} /> : null}
      </Dialog>
      <ConfirmDialog
        open={open === 'remove'}
        title={t('passkeyRemoveTitle', { name })}
        confirmLabel={t('remove')}
        isDangerous
        onCancel={close}
        onConfirm={() => {
          close();
          remove.mutate();
        }}
      >
        {t('passkeyRemoveText')}
        <LastOne factors={factors} />
      </ConfirmDialog>
    </Factor>
  );
}

function Rename({ passkey: { passkeyId, name }, onClose }: { passkey: Passkey; onClose: () => void }) {
  const t = useTranslations('secondFactors');
  const form = useZodForm(passkeyName, { passkeyId, name });
  const rename = useFactorChange(accountClient.renamePasskey.mutate, onClose);
  return (
    <Form form={form} onSave={rename.mutateAsync} onCancel={onClose}>
      <TextField name="name" label={t('name')} maxLength={100} />
    </Form>
  );
}
