'use client';

import { useTranslations } from 'next-intl';
import { customerRules } from '@/server/domain/merchants/schemas';
import { NumberField, SwitchField, TextField } from '../../form/fields';
import { Form } from '../../form/form';
import { Facts } from '../../ui/facts';
import { MoneyField } from '../fields/money-field';
import { useFormat } from '../state/format';
import type { Settings } from './types';
import { useSettingsForm } from './use-settings-form';

export function CustomersSetting({ settings }: { settings: Settings }) {
  const t = useTranslations('settings');
  const tCommon = useTranslations('common');
  const format = useFormat();
  const {
    balanceLimit,
    cashierRefundLimit,
    cashOutKeepsBonus,
    confirmAbove,
    enrolOnSale,
    signUpNeedsPhone,
    returnedValueDays,
    refusesOwing,
    privacyUrl,
  } = settings;
  const { form, save } = useSettingsForm(customerRules, {
    balanceLimit,
    cashierRefundLimit,
    cashOutKeepsBonus,
    confirmAbove,
    enrolOnSale,
    signUpNeedsPhone,
    returnedValueDays,
    refusesOwing,
    privacyUrl,
  });
  if (!settings.canEdit) {
    return (
      <Facts
        items={[
          { term: t('balanceLimit'), value: balanceLimit === null ? t('noLimit') : format.money(balanceLimit) },
          {
            term: t('cashierRefundLimit'),
            value: cashierRefundLimit === 0 ? t('noCashierRefunds') : format.money(cashierRefundLimit),
          },
          { term: t('confirmAbove'), value: confirmAbove === null ? t('neverConfirm') : format.money(confirmAbove) },
          { term: t('cashOutKeepsBonus'), value: cashOutKeepsBonus ? tCommon('yes') : tCommon('no') },
          { term: t('enrolOnSale'), value: enrolOnSale ? tCommon('yes') : tCommon('no') },
          { term: t('signUpNeedsPhone'), value: signUpNeedsPhone ? tCommon('yes') : tCommon('no') },
          {
            term: t('returnedValueDays'),
            value:
              returnedValueDays === null
                ? t('returnedValueExpires')
                : t('returnedValueDaysValue', { days: returnedValueDays }),
          },
          { term: t('refusesOwing'), value: refusesOwing ? tCommon('yes') : tCommon('no') },
          { term: t('privacyUrl'), value: privacyUrl ?? t('noPrivacyUrl') },
        ]}
      />
    );
  }
  return (
    <Form form={form} onSave={save} savedMessage={t('saved')} isOneOfSeveral>
      <div className="max-w-sm">
        <MoneyField name="balanceLimit" label={t('balanceLimit')} hint={t('balanceLimitHint')} optional />
      </div>
      <div className="max-w-sm">
        <MoneyField name="cashierRefundLimit" label={t('cashierRefundLimit')} hint={t('cashierRefundLimitHint')} />
      </div>
      <div className="max-w-sm">
        <MoneyField name="confirmAbove" label={t('confirmAbove')} hint={t('confirmAboveHint')} optional />
      </div>
      <SwitchField name="cashOutKeepsBonus" label={t('cashOutKeepsBonus')} hint={t('cashOutKeepsBonusHint')} />
      <SwitchField name="enrolOnSale" label={t('enrolOnSale')} hint={t('enrolOnSaleHint')} />
      <SwitchField name="signUpNeedsPhone" label={t('signUpNeedsPhone')} hint={t('signUpNeedsPhoneHint')} />
      <SwitchField name="refusesOwing" label={t('refusesOwing')} hint={t('refusesOwingHint')} />
      <div className="max-w-sm">
        <NumberField
          name="returnedValueDays"
          label={t('returnedValueDays')}
          hint={t('returnedValueDaysHint')}
          optional
        />
      </div>
      <TextField
        name="privacyUrl"
        type="url"
        label={t('privacyUrl')}
        hint={t('privacyUrlHint')}
        autoComplete="off"
        spellCheck={false}
        optional
      />
    </Form>
  );
}
