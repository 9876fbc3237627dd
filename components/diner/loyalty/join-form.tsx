'use client';

import { type ReactNode, useState } from 'react';
import { BirthdayInput } from '@/components/ui/birthday-input';
import { Field } from '@/components/ui/field';
import { regionFor } from '@/server/domain/kernel/region';
import { fillText } from '../words';
import { AccountForm } from './account-form';
import { useLoyalty } from './loyalty-context';
import { ScreenTitle } from './screen-title';
import { SignOut } from './sign-out';
import { useSending } from './use-sending';
import { returnToBill } from './way-back';

/** For a phone without a customer account. */
export function JoinForm({ phone, privacyUrl }: { phone: string; privacyUrl: string | null }) {
  const { words, client, merchant, language } = useLoyalty();
  const sending = useSending();
  const [birthday, setBirthday] = useState<string | null>(null);
  return (
    <div className="space-y-6">
      <ScreenTitle>{words.joinTitle}</ScreenTitle>
      <p className="leading-relaxed text-muted">{fillText(words.joinLead, { phone })}</p>
      <AccountForm
        sending={sending}
        label={words.join}
        onSend={async (values) => {
          const text = (name: string) => String(values.get(name) ?? '');
          await client.identity.join.mutate({
            givenName: text('givenName'),
            lastName: text('lastName'),
            email: text('email'),
            birthday: text('birthday'),
            // Without consent, the server refuses it like any invalid field.
            consent: (values.get('consent') === 'on') as true,
            wantsMessages: values.get('wantsMessages') === 'on',
            language,
          });
          await returnToBill(merchant.id);
          sending.refresh();
        }}
      >
        {(errorOf) => (
          <>
            <Field
              name="givenName"
              autoComplete="given-name"
              maxLength={100}
              label={words.givenName}
              error={errorOf('givenName')}
            />
            <Field
              name="lastName"
              autoComplete="family-name"
              maxLength={100}
              label={words.lastName}
              optional={words.optional}
              error={errorOf('lastName')}
            />
            <Field
              name="email"
              type="email"
              autoComplete="email"
              autoCapitalize="none"
              spellCheck={false}
              maxLength={254}
              label={words.email}
              optional={words.optional}
              error={errorOf('email')}
            />
            <BirthdayInput
              name="birthday"
              value={birthday}
              onChange={setBirthday}
              locale={regionFor(merchant.locale, language)}
              label={words.birthday}
              optional={words.optional}
              hint={words.birthdayHint}
              error={errorOf('birthday')}
            />
            <Consent
              name="consent"
              text={fillText(words.consent, { merchant: merchant.name })}
              error={errorOf('consent')}
            >
              {privacyUrl ? (
                <a
                  href={privacyUrl}
                  target="_blank"
                  rel="noreferrer"
                  className="font-medium underline underline-offset-4"
                >
                  {words.privacyNotice}
                </a>
              ) : null}
            </Consent>
            <Consent name="wantsMessages" text={words.messages} error={null}>
              {words.messagesHint}
            </Consent>
          </>
        )}
      </AccountForm>
      <SignOut />
    </div>
  );
}

interface ConsentProps {
  name: string;
  text: string;
  error: string | null;
  /** Read together with the text, but outside of its label because it may contain a link. */
  children: ReactNode;
}

function Consent({ name, text, error, children }: ConsentProps) {
  return (
    <div>
      <label className="flex min-h-11 cursor-pointer gap-3 leading-relaxed">
        <input
          type="checkbox"
          name={name}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? `${name}-error ${name}-more` : `${name}-more`}
          className="mt-0.5 size-6 shrink-0 accent-accent"
        />
        <span className="text-[0.9375rem] wrap-anywhere">{text}</span>
      </label>
      <p id={`${name}-more`} className="ml-9 text-sm text-muted empty:hidden">
        {children}
      </p>
      {error ? (
        <p id={`${name}-error`} className="mt-1.5 text-sm text-danger">
          {error}
        </p>
      ) : null}
    </div>
  );
}
