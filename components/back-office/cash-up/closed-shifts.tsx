import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { inferRouterOutputs } from '@trpc/server';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { type ByMethod, correctCashUpInput, paymentMethods } from '@/server/domain/cash-ups/schemas';
import type { StaffRouter } from '@/server/trpc/staff/router';
import { TextField } from '../../form/fields';
import { Form } from '../../form/form';
import { useZodForm } from '../../form/use-zod-form';
import { Badge } from '../../ui/badge';
import { Button } from '../../ui/button';
import { Dialog } from '../../ui/dialog';
import { Section } from '../../ui/section';
import { ExportLink } from '../lists/data-list';
import { useTRPC } from '../office/trpc';
import { FigureTable } from '../reports/figure-table';
import { useFormat } from '../state/format';
import { CountFields } from './count-fields';

type Shift = inferRouterOutputs<StaffRouter>['cashUps']['day']['closed'][number];

interface ClosedShiftsProps {
  shifts: Shift[];
  filters: { day: string; storeId: string | undefined };
}

/** The cash-ups of a day, with their corrections. */
export function ClosedShifts({ shifts, filters }: ClosedShiftsProps) {
  const t = useTranslations('cashUp');
  const [correcting, setCorrecting] = useState<Shift | null>(null);
  if (shifts.length === 0) return null;
  return (
    <Section
      title={t('closedShifts')}
      description={t('closedHint')}
      actions={<ExportLink list="cash-ups" filters={filters} label={t('exportCounts')} />}
    >
      <ul className="flex flex-col gap-6">
        {shifts.map((shift) => (
          <li key={shift.cashUpId}>
            <ClosedShift
              shift={shift}
              isReplaced={shifts.some(({ replacesId }) => replacesId === shift.cashUpId)}
              onCorrect={() => setCorrecting(shift)}
            />
          </li>
        ))}
      </ul>
      {correcting ? <CorrectDialog shift={correcting} onClose={() => setCorrecting(null)} /> : null}
    </Section>
  );
}

interface ClosedShiftProps {
  shift: Shift;
  isReplaced: boolean;
  onCorrect: () => void;
}

function ClosedShift({ shift, isReplaced, onCorrect }: ClosedShiftProps) {
  const t = useTranslations('cashUp');
  const tCounter = useTranslations('counter');
  const { money, movement, dateTime, time } = useFormat();
  const title = `${shift.storeName}, ${t('fromTo', { from: dateTime(shift.since), to: time(shift.until) })}`;
  return (
    <>
      <div className="mb-2 flex flex-wrap items-center justify-between gap-2">
        <h3 className="flex flex-wrap items-center gap-2 font-medium">
          {title}
          {isReplaced ? <Badge>{t('corrected')}</Badge> : null}
          {shift.replacesId ? <Badge tone="caution">{t('correction')}</Badge> : null}
        </h3>
        {isReplaced ? null : (
          <Button variant="secondary" size="small" onClick={onCorrect} aria-label={t('correctOf', { shift: title })}>
            {t('correct')}
          </Button>
        )}
      </div>
      <p className="mb-2 text-sm text-muted">
        {t('countedBy', { name: shift.closedBy, time: dateTime(shift.closedAt) })}
        {shift.reason ? ` ${t('because', { reason: shift.reason })}` : null}
      </p>
      <FigureTable
        caption={title}
        // As they are counted: cash first.
        rows={paymentMethods.flatMap((one) => shift.counts.filter(({ method }) => method === one))}
        rowKey={({ method }) => method}
        columns={[
          { id: 'method', header: tCounter('paidWith'), cell: ({ method }) => tCounter(`paymentMethods.${method}`) },
          { id: 'expected', header: t('expectedColumn'), cell: ({ expected }) => money(expected) },
          { id: 'counted', header: t('countedColumn'), cell: ({ counted }) => money(counted) },
          {
            id: 'difference',
            header: t('differenceColumn'),
            cell: ({ expected, counted }) => (
              <span className={counted === expected ? undefined : 'font-semibold text-danger'}>
                {movement(counted - expected)}
              </span>
            ),
          },
        ]}
      />
    </>
  );
}

const correctionSchema = correctCashUpInput.pick({ counted: true, reason: true });

function CorrectDialog({ shift, onClose }: { shift: Shift; onClose: () => void }) {
  const t = useTranslations('cashUp');
  const tCommon = useTranslations('common');
  const queryClient = useQueryClient();
  const correct = useMutation(useTRPC().cashUps.correct.mutationOptions());
  const amountsOf = (field: 'expected' | 'counted') =>
    Object.fromEntries(
      paymentMethods.map((method) => [method, shift.counts.find((one) => one.method === method)?.[field] ?? 0]),
    ) as ByMethod;
  const form = useZodForm(correctionSchema, { counted: amountsOf('counted'), reason: '' });
  return (
    <Dialog open onClose={onClose} title={t('correctTitle')}>
      <p className="mb-5 leading-relaxed text-muted">{t('correctText')}</p>
      <Form
        form={form}
        saveLabel={t('correct')}
        savedMessage={t('correctedDone')}
        onCancel={onClose}
        onSave={async ({ counted, reason }) => {
          await correct.mutateAsync({ replacesId: shift.cashUpId, counted, reason });
          await queryClient.invalidateQueries({ queryKey: [['cashUps']] });
          onClose();
        }}
      >
        <CountFields expected={amountsOf('expected')} />
        <TextField name="reason" label={tCommon('reason')} autoComplete="off" />
      </Form>
    </Dialog>
  );
}
