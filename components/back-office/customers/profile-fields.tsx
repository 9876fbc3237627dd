import { useLocale, useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { Profile } from '@/server/domain/identity/schemas';
import { TextField, useOptional } from '../../form/fields';
import { useField } from '../../form/use-field';
import { BirthdayInput } from '../../ui/birthday-input';

/** The form fields for a customer's contact details. */
export function ProfileFields() {
  const t = useTranslations('customers');
  const fields = {
    givenName: <TextField name="givenName" label={t('givenName')} autoComplete="off" />,
    lastName: <TextField name="lastName" label={t('lastName')} optional autoComplete="off" />,
    phone: <TextField name="phone" type="tel" label={t('phone')} hint={t('phoneHint')} optional autoComplete="off" />,
    email: <TextField name="email" type="email" label={t('email')} optional autoComplete="off" />,
    birthday: <BirthdayField />,
    tags: <TextField name="tags" label={t('tags')} hint={t('tagsHint')} optional autoComplete="off" />,
  } satisfies Record<keyof Profile, ReactNode>;
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      {Object.entries(fields).map(([name, field]) => (
        <div key={name} className={name === 'phone' || name === 'tags' ? 'sm:col-span-2' : undefined}>
          {field}
        </div>
      ))}
    </div>
  );
}

function BirthdayField() {
  const t = useTranslations('customers');
  const locale = useLocale();
  const { field, error } = useField('birthday');
  return (
    <BirthdayInput
      name="birthday"
      value={field.value}
      onChange={field.onChange}
      locale={locale}
      firstRef={field.ref}
      label={t('birthday')}
      optional={useOptional(true)}
      hint={t('birthdayHint')}
      error={error}
    />
  );
}
