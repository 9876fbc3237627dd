import { useTranslations } from 'next-intl';
import { DateField, TextField } from '../../form/fields';

/** The form fields for a customer's contact details. */
export function ProfileFields() {
  const t = useTranslations('customers');
  return (
    <>
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField name="givenName" label={t('givenName')} autoComplete="off" />
        <TextField name="lastName" label={t('lastName')} optional autoComplete="off" />
      </div>
      <TextField name="phone" type="tel" label={t('phone')} hint={t('phoneHint')} optional autoComplete="off" />
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField name="email" type="email" label={t('email')} optional autoComplete="off" />
        <DateField name="birthday" label={t('birthday')} optional />
      </div>
    </>
  );
}
