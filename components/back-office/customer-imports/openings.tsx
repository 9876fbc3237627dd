'use client';

import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { amountField } from '@/server/domain/customer-imports/schemas';
import { Button } from '../../ui/button';
import { ConfirmDialog } from '../../ui/confirm-dialog';
import { DataTable } from '../../ui/data-table';
import { Section } from '../../ui/section';
import { useTRPC } from '../office/trpc';
import { useFormat } from '../state/format';
import { useChange } from '../state/use-change';
import type { ImportDetail } from './types';

const parts = ['principal', 'bonus', 'points', 'vouchers'] as const;
type Part = (typeof parts)[number];

/** The opening balances that an import added, and the result of taking them back. */
export function Openings({ file }: { file: ImportDetail }) {
  const t = useTranslations('customers');
  const { money, number, dateTime } = useFormat();
  const { openings, state, undoStartedAt, undoneAt } = file;
  if (openings === null) return null;
  const { addedToKnown, keptCount, vouchers = { imported: 0, cancelled: 0 } } = openings;
  const imported = { ...openings.imported, vouchers: vouchers.imported };
  const reversed = { ...openings.reversed, vouchers: vouchers.cancelled };
  const kept = { ...openings.kept, vouchers: undoneAt ? vouchers.imported - vouchers.cancelled : 0 };
  if (parts.every((part) => imported[part] === 0)) return null;
  const isAdded = addedToKnown !== undefined && amountField.options.some((part) => addedToKnown[part] > 0);
  const print = (part: Part, value: number) =>
    part === 'points' || part === 'vouchers' ? number(value) : money(value);
  const keptTexts = [
    ...(keptCount > 0 ? [t('keptText', { count: keptCount })] : []),
    ...(kept.vouchers > 0 ? [t('keptVouchers', { count: kept.vouchers })] : []),
  ];
  const text = undoneAt
    ? `${t('undone', { time: dateTime(undoneAt) })}. ${keptTexts.join(' ') || t('nothingKept')}`
    : undoStartedAt
      ? t('undoing')
      : t('openingsText');
  const column = (id: string, header: string, values: Partial<typeof imported>) => ({
    id,
    header,
    align: 'end' as const,
    cell: (part: Part) => {
      const value = values[part];
      return value === undefined ? '–' : print(part, value);
    },
  });
  return (
    <Section
      title={t('openings')}
      description={<span role="status">{text}</span>}
      actions={state === 'finished' && undoStartedAt === null ? <Undo file={file} /> : null}
    >
      <DataTable
        caption={t('openings')}
        rows={parts.filter((part) => imported[part] > 0)}
        rowKey={(part) => part}
        columns={[
          { id: 'part', header: t('part'), cell: (part) => t(part) },
          column('imported', t('importedAmount'), imported),
          ...(isAdded ? [column('added', t('ofKnownCustomers'), addedToKnown)] : []),
          ...(undoStartedAt ? [column('reversed', t('takenBack'), reversed), column('kept', t('kept'), kept)] : []),
        ]}
      />
    </Section>
  );
}

function Undo({ file: { importId } }: { file: ImportDetail }) {
  const t = useTranslations('customers');
  const [isAsking, setAsking] = useState(false);
  const { toast, settle } = useChange('customerImports', 'customers');
  const undo = useMutation(
    useTRPC().customerImports.undo.mutationOptions({ ...settle, onSuccess: () => toast.done(t('undoStarted')) }),
  );
  return (
    <>
      <Button variant="danger" size="small" busy={undo.isPending} onClick={() => setAsking(true)}>
        {t('undoOpenings')}
      </Button>
      <ConfirmDialog
        open={isAsking}
        title={t('undoTitle')}
        confirmLabel={t('undoOpenings')}
        cancelLabel={t('undoKeep')}
        isDangerous
        onConfirm={() => {
          undo.mutate({ importId });
          setAsking(false);
        }}
        onCancel={() => setAsking(false)}
      >
        {t('undoText')}
      </ConfirmDialog>
    </>
  );
}
