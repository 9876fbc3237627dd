'use client';

import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useWatch } from 'react-hook-form';
import { dayRules, merchantProfile } from '@/server/domain/merchants/schemas';
import { SelectField, TextField } from '../../form/fields';
import { Form } from '../../form/form';
import { Facts } from '../../ui/facts';
import type { Option } from '../../ui/select';
import { DayStartField, useHour } from '../fields/day-start-field';
import { useTRPC } from '../office/trpc';
import type { Settings } from './types';
import { useNames } from './use-names';
import { useSettingsForm } from './use-settings-form';

const profile = merchantProfile.extend(dayRules.shape);

export function ProfileSetting({ settings }: { settings: Settings }) {
  const t = useTranslations('settings');
  const names = useNames();
  const hour = useHour();
  const { name, currency, country, timeZone, dayStartsAt, locale } = settings;
  if (settings.canEdit) return <ProfileForm settings={settings} />;
  return (
    <Facts
      items={[
        { term: t('businessName'), value: name },
        { term: t('currency'), value: `${names.currency(currency)} (${currency})` },
        { term: t('country'), value: names.country(country) },
        { term: t('timeZone'), value: names.zone(timeZone) },
        { term: t('dayStartsAt'), value: hour(dayStartsAt) },
        { term: t('locale'), value: names.language(locale) },
      ]}
    />
  );
}

function ProfileForm({ settings }: { settings: Settings }) {
  const t = useTranslations('settings');
  const trpc = useTRPC();
  const names = useNames();
  const { data: choices } = useQuery(
    trpc.settings.choices.queryOptions(undefined, { staleTime: Number.POSITIVE_INFINITY }),
  );
  const { name, currency, country, timeZone, dayStartsAt, locale } = settings;
  const { form, save } = useSettingsForm(profile, { name, currency, country, timeZone, dayStartsAt, locale });
  const toOptions = (codes: string[], chosen: string, label: (code: string) => string): Option[] =>
    [...new Set([...codes, chosen])]
      .map((value) => ({ value, label: label(value) }))
      .sort((a, b) => a.label.localeCompare(b.label));
  return (
    <Form form={form} onSave={save} savedMessage={t('saved')} isOneOfSeveral>
      <TextField name="name" label={t('businessName')} hint={t('businessNameHint')} autoComplete="organization" />
      <div className="grid gap-5 sm:grid-cols-2">
        {settings.currencyIsFixed ? (
          <FixedCurrency label={`${names.currency(currency)} (${currency})`} />
        ) : (
          <SelectField
            name="currency"
            label={t('currency')}
            hint={t('currencyHint')}
            options={toOptions(choices?.currencies ?? [], currency, (code) => `${names.currency(code)} (${code})`)}
          />
        )}
        <SelectField
          name="country"
          label={t('country')}
          hint={t('countryHint')}
          options={toOptions(choices?.countries ?? [], country, names.country)}
        />
        <SelectField
          name="timeZone"
          label={t('timeZone')}
          hint={t('timeZoneHint')}
          options={toOptions(choices?.timeZones ?? [], timeZone, names.zone)}
        />
        <DayStartField name="dayStartsAt" label={t('dayStartsAt')} hint={t('dayStartsAtHint')} />
        <LocaleField locale={locale} />
      </div>
    </Form>
  );
}

function FixedCurrency({ label }: { label: string }) {
  const t = useTranslations('settings');
  return (
    <div>
      <p className="text-sm font-medium">{t('currency')}</p>
      <p className="mt-1.5 flex min-h-11 items-center font-medium">{label}</p>
      <p className="mt-1.5 text-sm text-muted">{t('currencyFixed')}</p>
    </div>
  );
}

/** The languages of receipts and diners' pages. */
const languages = ['en', 'zh', 'ms', 'ja'];

function LocaleField({ locale }: { locale: string }) {
  const t = useTranslations('settings');
  const names = useNames();
  const country: string = useWatch({ name: 'country' });
  const tags = new Set([...languages.map((language) => `${language}-${country}`), locale]);
  return (
    <SelectField
      name="locale"
      label={t('locale')}
      hint={t('localeHint')}
      options={[...tags].map((value) => ({ value, label: names.language(value) }))}
    />
  );
}
