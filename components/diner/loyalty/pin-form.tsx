'use client';

import { type ReactNode, useRef, useState } from 'react';
import { Button } from '@/components/ui/button';
import { Field } from '@/components/ui/field';
import { AccountForm } from './account-form';
import { BackToAccount, BackToBill } from './back-to-account';
import { CodeField, type SentCode, sentNow } from './code-field';
import { useLoyalty } from './loyalty-context';
import { readRefusal } from './refusal';
import { ScreenTitle } from './screen-title';
import { useSending } from './use-sending';
import { pathOfBill } from './way-back';

/** What authorises a new PIN: the old one, a code, or a recent sign-in. */
type Proof = 'oldPin' | 'code' | 'none';

interface PinFormProps {
  phone: string;
  hasPin: boolean;
  /** The proof that is selected first, depending on what is available. */
  proof: Proof;
  /** Shown above the form until the PIN is saved. */
  children: ReactNode;
}

export function PinForm({ phone, hasPin, proof: first, children }: PinFormProps) {
  const loyalty = useLoyalty();
  const { words, client, merchant } = loyalty;
  const [proof, setProof] = useState<Proof>(first);
  const [isShown, setShown] = useState(false);
  const [isDifferent, setDifferent] = useState(false);
  const [isSaved, setSaved] = useState(false);
  const again = useRef<HTMLInputElement>(null);
  const sending = useSending();
  const save = async (values: FormData) => {
    const given = (name: string) => values.get(name)?.toString() || undefined;
    const pin = given('pin') ?? '';
    const isRepeated = again.current === null || again.current.value === pin;
    setDifferent(!isRepeated);
    if (!isRepeated) return again.current?.focus();
    try {
      await client.account.setPin.mutate({ pin, oldPin: given('oldPin'), code: given('code') });
    } catch (error) {
      const { reason } = readRefusal(error, loyalty);
      if (reason === 'code_required' || reason === 'pin_not_set') setProof('code');
      throw error;
    }
    setSaved(true);
  };
  if (isSaved) {
    const bill = pathOfBill(merchant.id);
    return (
      <div className="space-y-6">
        <ScreenTitle>{words.pinSaved}</ScreenTitle>
        {bill === null ? <BackToAccount /> : <BackToBill path={bill} />}
      </div>
    );
  }
  const type = isShown ? 'text' : 'password';
  return (
    <div className="space-y-6">
      {children}
      {hasPin ? <ProofChoice proof={proof} onChange={setProof} /> : null}
      <AccountForm sending={sending} label={words.savePin} onSend={save}>
        {(errorOf) => (
          <>
            {proof === 'oldPin' ? (
              <Field {...digits} type={type} name="oldPin" label={words.oldPin} error={errorOf('oldPin')} />
            ) : null}
            {proof === 'code' ? <CodeProof phone={phone} hasPin={hasPin} error={errorOf('code')} /> : null}
            <Field
              {...digits}
              type={type}
              name="pin"
              label={words.newPin}
              hint={words.newPinHint}
              error={errorOf('pin')}
            />
            {isShown ? null : (
              <Field
                {...digits}
                ref={again}
                type={type}
                name="again"
                label={words.pinAgain}
                error={isDifferent ? words.pinDifferent : null}
              />
            )}
            <label className="flex min-h-11 cursor-pointer items-center gap-3 text-[0.9375rem]">
              <input
                type="checkbox"
                checked={isShown}
                onChange={({ target }) => setShown(target.checked)}
                className="size-6 shrink-0 accent-accent"
              />
              {words.showPin}
            </label>
          </>
        )}
      </AccountForm>
    </div>
  );
}

const digits = {
  inputMode: 'numeric',
  autoComplete: 'off',
  maxLength: 4,
  className: 'font-mono tracking-[0.3em]',
} as const;

function ProofChoice({ proof, onChange }: { proof: Proof; onChange: (proof: Proof) => void }) {
  const { words } = useLoyalty();
  const choices = { oldPin: words.byOldPin, code: words.byCode };
  return (
    <fieldset>
      <legend className="text-sm font-medium">{words.howToConfirm}</legend>
      {(['oldPin', 'code'] as const).map((one) => (
        <label key={one} className="flex min-h-11 cursor-pointer items-center gap-3">
          <input
            type="radio"
            name="proof"
            checked={proof === one}
            onChange={() => onChange(one)}
            className="size-5 shrink-0 accent-accent"
          />
          {choices[one]}
        </label>
      ))}
    </fieldset>
  );
}

/** Sends a code only on demand, so that opening the page by mistake sends none. */
function CodeProof({ phone, hasPin, error }: { phone: string; hasPin: boolean; error: string | null }) {
  const { words, client } = useLoyalty();
  const [sent, setSent] = useState<SentCode | null>(null);
  const { isBusy, refusal, send } = useSending();
  const request = () => client.account.requestPinCode.mutate();
  if (sent) return <CodeField phone={phone} sent={sent} error={error} onResend={request} />;
  return (
    <div className="space-y-3">
      {hasPin ? null : <p className="text-[0.9375rem] text-muted">{words.whyCode}</p>}
      <Button
        variant="secondary"
        busy={isBusy}
        className="w-full"
        onClick={() => send(async () => setSent(sentNow(await request())))}
      >
        {words.sendCode}
      </Button>
      <p role="alert" className="text-sm text-danger">
        {refusal?.text ?? error}
      </p>
    </div>
  );
}
