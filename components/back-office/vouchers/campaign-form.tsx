'use client';

import { useTranslations } from 'next-intl';
import { isPercentage } from '@/server/domain/kernel/voucher-units';
import type { CampaignInput } from '@/server/domain/vouchers';
import { allCustomers, campaignInput } from '@/server/domain/vouchers/campaign-schemas';
import { NumberField, TextField } from '../../form/fields';
import { Form } from '../../form/form';
import { OnlyWhen } from '../../form/only-when';
import { type StartValues, useZodForm } from '../../form/use-zod-form';
import { Section } from '../../ui/section';
import { DateField } from '../fields/date-field';
import { StoresField } from '../fields/stores-field';
import { emptyNames, TranslationFields, useMenuLanguages } from '../menu/translation-fields';
import { BillExample } from './bill-example';
import { DiscountFields } from './discount-fields';
import { TermsFacts } from './terms-facts';
import { TriggerFields } from './trigger-fields';

interface CampaignFormProps {
  /** The values of an existing campaign. */
  values?: CampaignInput;
  /** True if vouchers of it have been issued. */
  isIssued?: boolean;
  saveLabel: string;
  savedMessage: string;
  onSave: (input: CampaignInput) => Promise<unknown>;
  onCancel: () => void;
}

const newCampaign = {
  name: '',
  translations: {},
  unit: 'BillDollarValue',
  value: null,
  plus: [],
  minSpend: 0,
  maxDiscount: null,
  maxUnits: 1,
  stackable: false,
  allStores: true,
  storeIds: [],
  validFrom: null,
  validUntil: null,
  validityDays: null,
  trigger: 'manual',
  daysBefore: 0,
  seasonalOn: null,
  segment: allCustomers,
  totalLimit: null,
  perCustomerLimit: null,
};

/** The terms that are fixed once vouchers are issued: the fields of `DiscountFields`. */
const terms = ['unit', 'value', 'plus', 'minSpend', 'maxDiscount', 'maxUnits', 'stackable'];

/** Picks the schema's fields from everything that a screen has about a campaign. */
const fieldsOf = (values: CampaignInput) =>
  Object.fromEntries(Object.entries(values).filter(([field]) => field in newCampaign));

/** A campaign's fields, with an example bill. */
export function CampaignForm({
  values,
  isIssued = false,
  saveLabel,
  savedMessage,
  onSave,
  onCancel,
}: CampaignFormProps) {
  const t = useTranslations('vouchers');
  const defaults = values ? fieldsOf(values) : newCampaign;
  const translations = { ...emptyNames(useMenuLanguages()), ...values?.translations };
  const form = useZodForm(campaignInput, { ...defaults, translations } as StartValues<CampaignInput>);
  // A fixed amount has no maximum, but one may have been entered for a percentage. Issued terms are not changed.
  const save = (input: CampaignInput) =>
    onSave(isIssued || isPercentage(input.unit) ? input : { ...input, maxDiscount: null });
  return (
    <Form form={form} onSave={save} saveLabel={saveLabel} savedMessage={savedMessage} onCancel={onCancel}>
      <div className="grid items-start gap-5 xl:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="flex min-w-0 flex-col gap-5">
          <Section title={t('discount')}>
            <div className="flex flex-col gap-5">
              <TextField name="name" label={t('name')} hint={t('nameHint')} autoComplete="off" />
              <TranslationFields />
              {values && isIssued ? <FixedTerms values={values} /> : null}
              <OnlyWhen is={!isIssued} names={terms}>
                <DiscountFields />
              </OnlyWhen>
            </div>
          </Section>
          <Section title={t('whoGetsIt')}>
            <div className="flex flex-col gap-5">
              <TriggerFields />
              <div className="grid gap-5 sm:grid-cols-2">
                <NumberField name="totalLimit" label={t('totalLimit')} hint={t('totalLimitHint')} optional />
                <NumberField name="perCustomerLimit" label={t('perCustomerLimit')} optional />
              </div>
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
              <NumberField
                name="validityDays"
                label={t('validityDays')}
                hint={t('validityDaysHint')}
                end={t('days')}
                optional
              />
            </div>
          </Section>
        </div>
        <div className="min-w-0 xl:sticky xl:top-6">
          <BillExample />
        </div>
      </div>
    </Form>
  );
}

function FixedTerms({ values }: { values: CampaignInput }) {
  const t = useTranslations('vouchers');
  return (
    <div>
      <p className="mb-4 rounded-xl bg-tint px-4 py-3 text-sm">{t('fixedNote')}</p>
      <TermsFacts terms={values} />
    </div>
  );
}
