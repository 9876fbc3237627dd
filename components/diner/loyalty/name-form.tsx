'use client';

import { Field } from '@/components/ui/field';
import { AccountForm } from './account-form';
import { useLoyalty } from './loyalty-context';
import { useSending } from './use-sending';

/** Asks a customer for the name that the merchant does not have, such as one who came in with a file. */
export function NameForm() {
  const { words, client } = useLoyalty();
  const sending = useSending();
  return (
    <section aria-labelledby="your-name" className="space-y-4 rounded-2xl border border-line bg-surface p-5">
      <h2 id="your-name" className="font-semibold">
        {words.yourName}
      </h2>
      <AccountForm
        sending={sending}
        label={words.saveName}
        onSend={async (values) => {
          const text = (name: string) => String(values.get(name) ?? '');
          await client.account.setName.mutate({ givenName: text('givenName'), lastName: text('lastName') });
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
          </>
        )}
      </AccountForm>
    </section>
  );
}
