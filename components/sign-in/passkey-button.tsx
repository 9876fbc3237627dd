'use client';

import { type AuthenticationResponseJSON, browserSupportsWebAuthn, startAuthentication } from '@simplewebauthn/browser';
import { KeyRound } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { accountClient } from '../calls/account-client';
import { useRefusalText } from '../calls/refusal';
import { Alert } from '../ui/alert';
import { Button } from '../ui/button';
import { useIsInBrowser } from '../ui/use-is-in-browser';

interface PasskeyButtonProps {
  label: string;
  isPrimary?: boolean;
  /** Sends the proof. Errors that it throws are shown. */
  onProof: (response: AuthenticationResponseJSON) => Promise<unknown>;
}

/** Asks the device for a passkey of this service. Hidden if the browser supports none. */
export function PasskeyButton({ label, isPrimary = false, onProof }: PasskeyButtonProps) {
  const t = useTranslations('secondFactors');
  const refusalText = useRefusalText();
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const isInBrowser = useIsInBrowser();
  if (!isInBrowser || !browserSupportsWebAuthn()) return null;

  async function prove() {
    setBusy(true);
    setFailure(null);
    try {
      const optionsJSON = await accountClient.requestPasskey.query();
      const response = await startAuthentication({ optionsJSON }).catch(() => null);
      // Null if the person cancelled, or the device has no passkey.
      if (response) await onProof(response);
      else setFailure(t('passkeyMissing'));
    } catch (error) {
      setFailure(refusalText(error));
    } finally {
      setBusy(false);
    }
  }

  return (
    <div className="space-y-3">
      <Button
        variant={isPrimary ? 'primary' : 'secondary'}
        busy={isBusy}
        className="w-full"
        onClick={() => void prove()}
      >
        <KeyRound className="size-4" aria-hidden="true" />
        {label}
      </Button>
      {failure ? <Alert tone="danger" title={failure} /> : null}
    </div>
  );
}
