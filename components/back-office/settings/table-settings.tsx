'use client';

import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { useFormState } from 'react-hook-form';
import { billOffers, pageOffers, tableCardRules } from '@/server/domain/qr-ordering/schemas';
import { NumberField, RadioField, SwitchField } from '../../form/fields';
import { Form } from '../../form/form';
import { useField } from '../../form/use-field';
import { Facts } from '../../ui/facts';
import { Field } from '../../ui/field';
import { Section } from '../../ui/section';
import { useTRPC } from '../office/trpc';
import { useFormat } from '../state/format';
import { Waiting } from '../state/loaded';
import type { OrderingSettings } from './types';
import { useOrderingForm } from './use-settings-form';

/** Ordering and bills at the table: what diners can do, and what a table's card opens. */
export function TableSettings({ canEdit }: { canEdit: boolean }) {
  const t = useTranslations('settings.tables');
  const trpc = useTRPC();
  const { data: settings, error, refetch } = useQuery(trpc.settings.ordering.queryOptions());
  if (!settings) return <Waiting error={error} refetch={refetch} />;
  return (
    <div className="flex flex-col gap-6">
      <Section title={t('ordering')} description={t('orderingText')}>
        {canEdit ? <PageOffersForm settings={settings} /> : <Switches names={pageSwitches} settings={settings} />}
      </Section>
      <Section title={t('bill')} description={t('billText')}>
        {canEdit ? <BillOffersForm settings={settings} /> : <BillOffers settings={settings} />}
      </Section>
      <Section title={t('cards')} description={t('cardsText')}>
        {canEdit ? (
          <TableCardForm settings={settings} />
        ) : (
          <Facts items={[{ term: t('tableCardPage'), value: t(`cardPage.${settings.tableCardPage}`) }]} />
        )}
      </Section>
    </div>
  );
}

const pageSwitches = ['ordersAgain', 'showsPopular', 'filtersDiets', 'callsStaff', 'estimatesWait'] as const;
const billSwitches = ['redeemsOnBill', 'cardOnBill'] as const;
type SwitchName = (typeof pageSwitches | typeof billSwitches)[number];

function PageOffersForm({ settings }: { settings: OrderingSettings }) {
  const t = useTranslations();
  const { ordersAgain, showsPopular, filtersDiets, callsStaff, estimatesWait } = settings;
  const values = { ordersAgain, showsPopular, filtersDiets, callsStaff, estimatesWait };
  const { form, save } = useOrderingForm(pageOffers, values);
  return (
    <Form form={form} onSave={save} savedMessage={t('settings.saved')} isOneOfSeveral>
      {pageSwitches.map((name) => (
        <SwitchField
          key={name}
          name={name}
          label={t(`settings.tables.${name}`)}
          hint={t(`settings.tables.${name}Hint`)}
        />
      ))}
    </Form>
  );
}

function BillOffersForm({ settings }: { settings: OrderingSettings }) {
  const t = useTranslations('settings');
  const { redeemsOnBill, cardOnBill, takeBackMinutes, tipPercentages, takesCards } = settings;
  const { form, save } = useOrderingForm(billOffers, { redeemsOnBill, cardOnBill, takeBackMinutes, tipPercentages });
  return (
    <Form form={form} onSave={save} savedMessage={t('saved')} isOneOfSeveral>
      <SwitchField name="redeemsOnBill" label={t('tables.redeemsOnBill')} hint={t('tables.redeemsOnBillHint')} />
      <SwitchField
        name="cardOnBill"
        label={t('tables.cardOnBill')}
        hint={t('tables.cardOnBillHint')}
        unavailable={takesCards ? undefined : t('tables.noCards')}
      />
      <div className="max-w-sm space-y-5">
        <NumberField
          name="takeBackMinutes"
          label={t('tables.takeBackMinutes')}
          hint={t('tables.takeBackMinutesHint')}
        />
        <TipsField />
      </div>
    </Form>
  );
}

/** Why diners can't pay by card even if it is turned on. */
function NoCards() {
  const t = useTranslations('settings.tables');
  return <p className="rounded-lg bg-caution-tint px-3.5 py-2.5 text-sm text-caution">{t('noCards')}</p>;
}

/** Percentages in one line, such as `5, 10, 15`. */
function TipsField() {
  const t = useTranslations('settings.tables');
  const tCommon = useTranslations('common');
  const { field, error, isLimitError } = useField('tipPercentages');
  // The schema reports errors per tip.
  const isInvalid = 'tipPercentages' in useFormState().errors;
  const [draft, setDraft] = useState<string | null>(null);
  const tips: number[] = field.value;
  const isRead = tips.every(Number.isFinite);
  return (
    <Field
      inputMode="text"
      autoComplete="off"
      name={field.name}
      ref={field.ref}
      value={draft ?? tips.join(', ')}
      onChange={({ target: { value } }) => {
        setDraft(value);
        // Unreadable text becomes NaN, which the schema rejects.
        field.onChange(value.split(/[\s,;%、，]+/).flatMap((text) => (text === '' ? [] : [Number(text)])));
      }}
      onBlur={() => {
        if (isRead) setDraft(null);
        field.onBlur();
      }}
      label={t('tipPercentages')}
      hint={t('tipPercentagesHint')}
      optional={tCommon('optional')}
      error={isLimitError || (isInvalid && error === null) ? t('tipsInvalid') : error}
      end={<span className="pr-3">%</span>}
    />
  );
}

function TableCardForm({ settings: { tableCardPage } }: { settings: OrderingSettings }) {
  const t = useTranslations('settings');
  const { form, save } = useOrderingForm(tableCardRules, { tableCardPage });
  return (
    <Form form={form} onSave={save} savedMessage={t('saved')} isOneOfSeveral>
      <RadioField
        name="tableCardPage"
        label={t('tables.tableCardPage')}
        options={tableCardRules.shape.tableCardPage.options.map((value) => ({
          value,
          label: t(`tables.cardPage.${value}`),
          hint: t(`tables.cardPageHint.${value}`),
        }))}
      />
    </Form>
  );
}

/** For people who can only read the settings. */
function Switches({ names, settings }: { names: readonly SwitchName[]; settings: OrderingSettings }) {
  const t = useTranslations();
  return (
    <Facts
      items={names.map((name) => ({
        term: t(`settings.tables.${name}`),
        value: t(settings[name] ? 'common.yes' : 'common.no'),
      }))}
    />
  );
}

function BillOffers({ settings }: { settings: OrderingSettings }) {
  const t = useTranslations('settings.tables');
  const { number, percent } = useFormat();
  const tips = settings.tipPercentages.map((tip) => percent(tip * 100)).join(', ');
  return (
    <>
      <Switches names={billSwitches} settings={settings} />
      <Facts
        items={[
          { term: t('takeBackMinutes'), value: number(settings.takeBackMinutes) },
          { term: t('tipPercentages'), value: tips || t('noTips') },
        ]}
      />
      {settings.takesCards ? null : <NoCards />}
    </>
  );
}
