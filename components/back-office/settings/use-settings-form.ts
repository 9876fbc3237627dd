import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useEffect } from 'react';
import type { DefaultValues, FieldValues } from 'react-hook-form';
import type { z } from 'zod';
import type { ChangeSettingsInput } from '@/server/domain/merchants/schemas';
import { useZodForm } from '../../form/use-zod-form';
import { useTRPC } from '../trpc';

/**
 * A form on some of the settings. It saves only what was changed in it, and takes up what somebody else saves meanwhile
 * in all other fields, so that two owners do not undo each other's work.
 */
export function useSettingsForm<Values extends FieldValues, Output extends ChangeSettingsInput>(
  schema: z.ZodType<Output, Values>,
  values: Values,
) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const router = useRouter();
  const form = useZodForm(schema, values as DefaultValues<Values>);
  const change = useMutation(trpc.settings.change.mutationOptions());
  const { dirtyFields } = form.formState;

  const current = JSON.stringify(values);
  useEffect(() => {
    form.reset(JSON.parse(current), { keepDirtyValues: true });
  }, [form, current]);

  async function save(output: Output): Promise<void> {
    const changes = Object.fromEntries(Object.entries(output).filter(([name]) => name in dirtyFields));
    await change.mutateAsync(changes);
    await queryClient.invalidateQueries({ queryKey: [['settings']] });
    // The frame of the page knows the merchant's name, currency and time zone.
    router.refresh();
  }
  return { form, save };
}
