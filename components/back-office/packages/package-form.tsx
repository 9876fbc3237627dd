'use client';

import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useFormContext, useWatch } from 'react-hook-form';
import type { PackageInput } from '@/server/domain/stored-value';
import { packageInput } from '@/server/domain/stored-value/schemas';
import { NumberField, PercentField, RadioField, TextField } from '../../form/fields';
import { Form } from '../../form/form';
import { type StartValues, useZodForm } from '../../form/use-zod-form';
import { Section } from '../../ui/section';
import { DateField } from '../fields/date-field';
import { MoneyField } from '../fields/money-field';
import { StoresField } from '../fields/stores-field';
import { emptyNames, TranslationFields, useMenuLanguages } from '../menu/translation-fields';
import { PackagePreview } from './package-preview';

interface PackageFormProps {
  /** The values of an existing package. */
  values?: PackageInput;
  saveLabel: string;
  savedMessage: string;
  onSave: (input: PackageInput) => Promise<unknown>;
}

const newPackage = {
  kind: 'fixed',
  name: '',
  translations: {},
  amount: null,
  bonusAmount: null,
  minAmount: null,
  maxAmount: null,
  bonusBasisPoints: null,
  bonusExpiresInDays: null,
  allStores: true,
  storeIds: [],
  validFrom: null,
  validUntil: null,
};

/** A package's fields, with a preview of what customers pay and receive. */
export function PackageForm({ values, saveLabel, savedMessage, onSave }: PackageFormProps) {
  const t = useTranslations('packages');
  const router = useRouter();
  const translations = { ...emptyNames(useMenuLanguages()), ...values?.translations };
  const form = useZodForm(packageInput, { ...newPackage, ...values, translations } as StartValues<PackageInput>);
  return (
    <Form
      form={form}
      onSave={onSave}
      saveLabel={saveLabel}
      savedMessage={savedMessage}
      onCancel={() => router.push('/packages')}
    >
      <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="flex flex-col gap-5">
          <Section title={t('offer')}>
            <div className="flex flex-col gap-5">
              <TextField name="name" label={t('name')} hint={t('nameHint')} autoComplete="off" />
              <TranslationFields />
              <RadioField
                name="kind"
                label={t('kind')}
                options={[
                  { value: 'fixed', label: t('fixed'), hint: t('fixedHint') },
                  { value: 'open', label: t('open'), hint: t('openHint') },
                ]}
              />
              <Amounts />
              <NumberField
                name="bonusExpiresInDays"
                label={t('bonusExpiry')}
                hint={t('bonusExpiryHint')}
                end={t('days')}
                optional
              />
            </div>
          </Section>
          <Section title={t('whereAndWhen')}>
            <div className="flex flex-col gap-5">
              <StoresField hint={t('storesHint')} />
              <div className="grid gap-5 sm:grid-cols-2">
                <DateField name="validFrom" label={t('firstDay')} optional />
                <DateField
                  name="validUntil"
                  label={t('lastDay')}
                  hint={t('lastDayHint')}
                  pastWarning={t('lastDayPast')}
                  optional
                />
              </div>
            </div>
          </Section>
        </div>
        <div className="lg:sticky lg:top-6">
          <PackagePreview />
        </div>
      </div>
    </Form>
  );
}

function Amounts() {
  const t = useTranslations('packages');
  const kind = useWatch({ control: useFormContext().control, name: 'kind' });
  return kind === 'fixed' ? (
    <div className="grid gap-5 sm:grid-cols-2">
      <MoneyField name="amount" label={t('amount')} />
      <MoneyField name="bonusAmount" label={t('bonusAmount')} />
    </div>
  ) : (
    <div className="grid gap-5 sm:grid-cols-3">
      <MoneyField name="minAmount" label={t('minAmount')} />
      <MoneyField name="maxAmount" label={t('maxAmount')} />
      <PercentField name="bonusBasisPoints" label={t('bonusPercent')} />
    </div>
  );
}
