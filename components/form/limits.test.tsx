/** A field's error for a value outside its limits. */
import { NextIntlClientProvider } from 'next-intl';
import { renderToStaticMarkup } from 'react-dom/server';
import { FormProvider, type UseFormReturn } from 'react-hook-form';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { OfficeProvider } from '../back-office/shell/office';
import { messages } from '../messages/messages';
import { MoneyField, NumberField, PercentField } from './fields';
import { useZodForm } from './use-zod-form';

const schema = z.object({ value: z.int().min(1).max(99_999_999_999) });
const merchant = {
  ...{ id: 'm1', name: 'Kopi', currency: 'SGD', country: 'SG', timeZone: 'Asia/Singapore', locale: 'en-SG' },
  clockAheadSeconds: 0,
};
const person = { name: 'Ada', email: 'ada@example.com', role: 'owner' as const };

/** The error below the field after submitting this value. */
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
  const page = () =>
    renderToStaticMarkup(
      <NextIntlClientProvider locale="en-SG" timeZone="UTC" messages={messages.en}>
        <OfficeProvider facts={{ merchant, person, memberships: [], isSandbox: false }}>
          <Screen />
        </OfficeProvider>
      </NextIntlClientProvider>,
    );
  page();
  await form?.trigger();
  return /Enter[^<]*/.exec(page())?.[0];
}

test('limits are in the unit and notation of the field', async () => {
  expect(await problemWith(MoneyField, 0)).toBe('Enter 0.01 or more.');
  expect(await problemWith(MoneyField, 100_000_000_000)).toBe('Enter 999,999,999.99 or less.');
  expect(await problemWith(PercentField, 0)).toBe('Enter 0.01 or more.');
  expect(await problemWith(NumberField, 100_000_000_000)).toBe('Enter 99,999,999,999 or less.');
});
