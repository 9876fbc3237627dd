import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useEffect } from 'react';
import type { FieldValues, Path } from 'react-hook-form';
import type { z } from 'zod';
import type { ChangeSettingsInput } from '@/server/domain/merchants';
import type { ChangeOrderingSettingsInput } from '@/server/domain/qr-ordering/schemas';
import { useZodForm } from '../../form/use-zod-form';
import { useTRPC } from '../office/trpc';

interface Compared {
  /** Three versions of the values: last loaded into the form, now saved, and typed. */
  before: object;
  saved: object;
  typed: object;
}

/** Returns the fields changed here that someone else has saved with another value meanwhile. */
export function contestedFields(dirtyFields: object, { before, saved, typed }: Compared): string[] {
  // Compared as JSON, because a list is another object each time.
  const valueIn = (values: object, name: string) => JSON.stringify((values as Record<string, unknown>)[name]);
  return Object.keys(dirtyFields).filter(
    (name) => ![before, typed].some((values) => valueIn(values, name) === valueIn(saved, name)),
  );
}

type Change<Output> = (changes: Partial<Output>) => Promise<unknown>;

/**
 * A form for some of the settings, which `change` saves. It saves only changed fields and takes over others that
 * someone else saves, so that two owners do not undo each other's changes. If both change the same field, it reports a
 * conflict.
 */
function useChangesForm<Values extends FieldValues, Output extends object>(
  schema: z.ZodType<Output, Values>,
  values: Values,
  change: Change<Output>,
) {
  const t = useTranslations('settings');
  const queryClient = useQueryClient();
  const router = useRouter();
  const form = useZodForm(schema, values);
  const { dirtyFields } = form.formState;

  const current = JSON.stringify(values);
  useEffect(() => {
    const saved = JSON.parse(current);
    const { dirtyFields: changed, defaultValues = {} } = form.formState;
    const names = contestedFields(changed, { before: defaultValues, saved, typed: form.getValues() });
    form.reset(saved, { keepDirtyValues: true, keepErrors: true });
    for (const name of names) form.setError(name as Path<Values>, { type: 'contested', message: t('contested') });
  }, [form, current, t]);

  async function save(output: Output): Promise<void> {
    const changes = Object.fromEntries(Object.entries(output).filter(([name]) => name in dirtyFields));
    await change(changes as Partial<Output>);
    await queryClient.invalidateQueries({ queryKey: [['settings']] });
    // The page's frame shows the merchant's name, and uses its currency and time zone.
    router.refresh();
  }
  return { form, save };
}

/** A form for settings of the business. */
export function useSettingsForm<Values extends FieldValues, Output extends ChangeSettingsInput>(
  schema: z.ZodType<Output, Values>,
  values: Values,
) {
  const { mutateAsync } = useMutation(useTRPC().settings.change.mutationOptions());
  return useChangesForm(schema, values, mutateAsync as Change<Output>);
}

/** A form for settings of ordering and bills at the table. */
export function useOrderingForm<Values extends FieldValues, Output extends ChangeOrderingSettingsInput>(
  schema: z.ZodType<Output, Values>,
  values: Values,
) {
  const { mutateAsync } = useMutation(useTRPC().settings.changeOrdering.mutationOptions());
  return useChangesForm(schema, values, mutateAsync as Change<Output>);
}
