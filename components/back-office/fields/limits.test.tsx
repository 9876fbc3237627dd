/** The error of a field whose value is outside its limits. */
import { addDays } from 'date-fns';
import { NextIntlClientProvider } from 'next-intl';
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { FormProvider, type UseFormReturn, useForm } from 'react-hook-form';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { NumberField, PercentField } from '../../form/fields';
import { useZodForm } from '../../form/use-zod-form';
import { messages } from '../../messages/messages';
import { OfficeProvider } from '../office/office';
import { dateIn } from '../state/local-days';
import { DateField } from './date-field';
import { MoneyField } from './money-field';

const schema = z.object({ value: z.int().min(1).max(99_999_999_999) });
const merchant = {
  id: 'm1',
  name: 'Kopi',
  currency: 'SGD',
  country: 'SG',
  timeZone: 'Asia/Singapore',
  dayStartsAt: 0,
  locale: 'en-SG',
  clockAheadSeconds: 0,
};
const person = {
  name: 'Ada',
  email: 'ada@example.com',
  role: 'owner' as const,
  worksEverywhere: true,
  storeNames: [],
  secondFactorFrom: null,
};

const inOffice = (children: ReactNode) =>
  renderToStaticMarkup(
    <NextIntlClientProvider locale="en-SG" timeZone="UTC" messages={messages.en}>
      <OfficeProvider
        facts={{ merchant, person, memberships: [], isAdmitted: true, isSandbox: false, hasSandboxInbox: false }}
      >
        {children}
      </OfficeProvider>
    </NextIntlClientProvider>,
  );

/** Returns the error below the field after submitting this value. */
async function problemWith(Field: typeof MoneyField, value: number): Promise<string | undefined> {
  let form: UseFormReturn<{ value: number }> | undefined;
  function Screen() {
    const opened = useZodForm(schema, { value });
    form ??= opened;
    return (
      <FormProvider {...form}>
        <Field name="value" label="Value" />
      </FormProvider>
    );
  }
  inOffice(<Screen />);
  await form?.trigger();
  return /Enter[^<]*/.exec(inOffice(<Screen />))?.[0];
}

test('limits are in the unit and notation of the field', async () => {
  expect(await problemWith(MoneyField, 0)).toBe('Enter 0.01 or more.');
  expect(await problemWith(MoneyField, 100_000_000_000)).toBe('Enter 999,999,999.99 or less.');
  expect(await problemWith(PercentField, 0)).toBe('Enter 0.01 or more.');
  expect(await problemWith(NumberField, 100_000_000_000)).toBe('Enter 99,999,999,999 or less.');
});

test('a day that has passed is warned of; today is not', () => {
  function Screen({ daysFromNow }: { daysFromNow: number }) {
    const form = useForm({ defaultValues: { value: dateIn(merchant.timeZone, addDays(new Date(), daysFromNow)) } });
    return (
      <FormProvider {...form}>
        <DateField name="value" label="End date" pastWarning="It has passed." />
      </FormProvider>
    );
  }
  expect(inOffice(<Screen daysFromNow={-1} />)).toContain('It has passed.');
  expect(inOffice(<Screen daysFromNow={0} />)).not.toContain('It has passed.');
});
