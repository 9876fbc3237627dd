import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { inferRouterOutputs } from '@trpc/server';
import { useTranslations } from 'next-intl';
import { type ByMethod, closeShiftInput, paymentMethods } from '@/server/domain/cash-ups/schemas';
import type { StaffRouter } from '@/server/trpc/staff/router';
import { Form } from '../../form/form';
import { useZodForm } from '../../form/use-zod-form';
import { Section } from '../../ui/section';
import { useTRPC } from '../office/trpc';
import { useFormat } from '../state/format';
import { Waiting } from '../state/loaded';
import { CountFields } from './count-fields';
import { LineTable } from './line-table';

type Shift = inferRouterOutputs<StaffRouter>['cashUps']['openShift'];

/** What was taken since the last cash-up, and the form that closes the shift. */
export function OpenShift({ storeId }: { storeId: string }) {
  const t = useTranslations('cashUp');
  const { dateTime } = useFormat();
  const { data, error, refetch } = useQuery(useTRPC().cashUps.openShift.queryOptions({ storeId }));
  if (!data) return <Waiting error={error} refetch={refetch} />;
  return (
    <Section title={t('openShift')} description={t('since', { time: dateTime(data.since) })}>
      {data.lines.length > 0 ? (
        <LineTable caption={t('openShift')} lines={data.lines} />
      ) : (
        <p className="text-sm text-muted">{t('nothingTaken')}</p>
      )}
      <div className="mt-6 border-t border-line pt-5">
        <CloseForm key={data.since} storeId={storeId} shift={data} />
      </div>
    </Section>
  );
}

const countSchema = closeShiftInput.pick({ counted: true });

/** A payment method without transactions need not be counted. */
const startOf = ({ lines }: Shift) =>
  Object.fromEntries(
    paymentMethods.map((method) => [method, lines.some((line) => line.method === method) ? undefined : 0]),
  ) as ByMethod;

function CloseForm({ storeId, shift }: { storeId: string; shift: Shift }) {
  const t = useTranslations('cashUp');
  const queryClient = useQueryClient();
  const close = useMutation(useTRPC().cashUps.close.mutationOptions());
  const form = useZodForm(countSchema, { counted: startOf(shift) });
  const { since, until, expected } = shift;
  return (
    <>
      <p className="mb-4 max-w-2xl text-sm leading-relaxed text-muted">{t('countHint')}</p>
      <Form
        form={form}
        saveLabel={t('close')}
        savedMessage={t('closed')}
        onSave={async ({ counted }) => {
          await close.mutateAsync({ storeId, since, until, expected, counted });
          await queryClient.invalidateQueries({ queryKey: [['cashUps']] });
        }}
      >
        <CountFields expected={expected} />
      </Form>
    </>
  );
}
