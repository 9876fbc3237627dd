'use client';

import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { Field } from '@/components/ui/field';
import { AccountForm } from './account-form';
import { CodeField, type SentCode, sentNow } from './code-field';
import { useLoyalty } from './loyalty-context';
import { ScreenTitle } from './screen-title';
import { useSending } from './use-sending';
import { returnToBill } from './way-back';

/** Signs in by phone number and the code sent to it. */
export function Identify() {
  const { words } = useLoyalty();
  const [sent, setSent] = useState<(SentCode & { phone: string }) | null>(null);
  if (sent === null) return <PhoneStep onSent={setSent} />;
  return (
    <div className="space-y-6">
      <ScreenTitle key="code">{words.codeTitle}</ScreenTitle>
      <CodeStep sent={sent} />
      <Button variant="quiet" className="-ml-5" onClick={() => setSent(null)}>
        {words.otherPhone}
      </Button>
    </div>
  );
}

function PhoneStep({ onSent }: { onSent: (sent: SentCode & { phone: string }) => void }) {
  const { words, client } = useLoyalty();
  return (
    <div className="space-y-6">
      <ScreenTitle key="phone">{words.identifyTitle}</ScreenTitle>
      <p className="leading-relaxed text-muted">{words.identifyLead}</p>
      <noscript>
        <p className="rounded-lg bg-caution-tint px-4 py-3 text-caution">{words.withoutScript}</p>
      </noscript>
      <AccountForm
        sending={useSending()}
        label={words.sendCode}
        onSend={async (values) => {
          const phone = String(values.get('phone'));
          onSent({ phone, ...sentNow(await client.identity.requestCode.mutate({ phone })) });
        }}
      >
        {(errorOf) => (
          <Field
            name="phone"
            type="tel"
            autoComplete="tel"
            maxLength={32}
            label={words.phone}
            hint={words.phoneHint}
            error={errorOf('phone')}
          />
        )}
      </AccountForm>
    </div>
  );
}

function CodeStep({ sent }: { sent: SentCode & { phone: string } }) {
  const { words, client, merchant, language } = useLoyalty();
  const sending = useSending();
  const { phone } = sent;
  return (
    <AccountForm
      sending={sending}
      label={words.confirm}
      onSend={async (values) => {
        const code = String(values.get('code'));
        const { isCustomer } = await client.identity.verifyCode.mutate({ phone, code, language });
        if (isCustomer) await returnToBill(merchant.id);
        sending.refresh();
      }}
    >
      {(errorOf) => (
        <CodeField
          phone={phone}
          sent={sent}
          error={errorOf('code')}
          onResend={() => client.identity.requestCode.mutate({ phone })}
        />
      )}
    </AccountForm>
  );
}
