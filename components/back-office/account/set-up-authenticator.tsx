'use client';

import { useTranslations } from 'next-intl';
import { newAuthenticatorInput } from '@/server/domain/access/schemas';
import { accountClient } from '../../calls/account-client';
import { Form } from '../../form/form';
import { useZodForm } from '../../form/use-zod-form';
import { CodeField } from '../../sign-in/code-field';
import { Dialog } from '../../ui/dialog';
import { QrImage } from '../../ui/qr-image';
import { CopyBlock } from '../state/copy-block';

export interface AuthenticatorSetup {
  secret: string;
  uri: string;
  sealed: string;
}

interface SetUpAuthenticatorProps {
  /** Null while the dialog is closed. */
  setup: AuthenticatorSetup | null;
  onClose: () => void;
  /** With recovery codes, if this is the person's first second factor. */
  onAdded: (recoveryCodes: string[]) => void;
}

/** Shows the app's secret once, and asks for its first code. */
export function SetUpAuthenticator({ setup, onClose, onAdded }: SetUpAuthenticatorProps) {
  const t = useTranslations('secondFactors');
  return (
    <Dialog open={setup !== null} onClose={onClose} title={t('setUpTitle')} staysOpen>
      {setup ? (
        <div className="flex flex-col gap-5">
          <p className="leading-relaxed text-muted">{t('scan')}</p>
          <div className="mx-auto w-56 max-w-full">
            <QrImage text={setup.uri} label={t('qrLabel')} />
          </div>
          <CopyBlock title={t('key')} value={setup.secret.replace(/(.{4})(?=.)/g, '$1 ')} />
          <FirstCode sealed={setup.sealed} onClose={onClose} onAdded={onAdded} />
        </div>
      ) : null}
    </Dialog>
  );
}

function FirstCode({ sealed, onClose, onAdded }: Omit<SetUpAuthenticatorProps, 'setup'> & { sealed: string }) {
  const t = useTranslations('secondFactors');
  const form = useZodForm(newAuthenticatorInput, { sealed, code: '' });
  return (
    <Form
      form={form}
      saveLabel={t('turnOn')}
      onCancel={onClose}
      onSave={async (input) => onAdded((await accountClient.addAuthenticator.mutate(input)).recoveryCodes)}
    >
      <CodeField accepts="app" />
    </Form>
  );
}
