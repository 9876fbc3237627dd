'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { Button } from '../../ui/button';
import { Dialog } from '../../ui/dialog';
import { useTRPC } from '../office/trpc';
import { useFormat } from '../state/format';
import { ItemPicker } from './item-picker';
import { StorePicker } from './store-picker';
import type { useStockOuts } from './use-stock-outs';

interface MarkDialogProps {
  /** The store on the screen; null for all. */
  storeId: string | null;
  onMark: ReturnType<typeof useStockOuts>['mark'];
  onClose: () => void;
}

/** Marks items as sold out, at chosen stores and for a chosen time. */
export function MarkDialog({ storeId, onMark, onClose }: MarkDialogProps) {
  const t = useTranslations();
  const trpc = useTRPC();
  const { data } = useQuery(trpc.stores.list.queryOptions());
  const stores = (data?.stores ?? []).filter(({ closedAt }) => closedAt === null);
  const [plus, setPlus] = useState<string[]>([]);
  const [chosen, setChosen] = useState<string[] | null>(storeId === null ? null : [storeId]);
  const [until, setUntil] = useState<'tomorrow' | null>(null);
  const [isTried, setTried] = useState(false);
  const [isSaving, setSaving] = useState(false);
  const storeIds = chosen ?? stores.map((store) => store.storeId);
  const problem =
    plus.length === 0 ? t('stockOuts.chooseItem') : storeIds.length === 0 ? t('stockOuts.chooseStore') : null;

  async function submit(): Promise<void> {
    setTried(true);
    if (problem !== null || isSaving) return;
    setSaving(true);
    const isMarked = await onMark(plus.flatMap((plu) => storeIds.map((id) => ({ storeId: id, plu, until }))));
    setSaving(false);
    if (isMarked) onClose();
  }

  return (
    <Dialog open onClose={onClose} title={t('stockOuts.mark')} staysOpen={plus.length > 0}>
      <form
        noValidate
        className="flex flex-col gap-5"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <ItemPicker chosen={plus} onChange={setPlus} />
        {stores.length > 1 ? <StorePicker stores={stores} chosen={storeIds} onChange={setChosen} /> : null}
        <UntilField value={until} onChange={setUntil} />
        {isTried && problem ? (
          <p role="alert" className="rounded-xl bg-danger-tint px-4 py-3 text-sm font-medium text-danger">
            {problem}
          </p>
        ) : null}
        <div className="flex flex-wrap gap-3">
          <Button type="submit" busy={isSaving}>
            {isSaving ? t('common.saving') : t('stockOuts.mark')}
          </Button>
          <Button variant="secondary" onClick={onClose}>
            {t('common.cancel')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

interface UntilFieldProps {
  value: 'tomorrow' | null;
  onChange: (value: 'tomorrow' | null) => void;
}

function UntilField({ value, onChange }: UntilFieldProps) {
  const t = useTranslations('stockOuts');
  const trpc = useTRPC();
  const { dateTime } = useFormat();
  const { data } = useQuery({ ...trpc.stockOuts.list.queryOptions({}), placeholderData: keepPreviousData });
  const choices = [
    { key: null, label: t('untilRestored'), hint: t('untilRestoredHint') },
    { key: 'tomorrow' as const, label: t('tomorrow'), hint: data ? t('until', { time: dateTime(data.tomorrow) }) : '' },
  ];
  return (
    <fieldset>
      <legend className="text-sm font-medium">{t('howLong')}</legend>
      <div className="mt-2 grid gap-2 sm:grid-cols-2">
        {choices.map(({ key, label, hint }) => (
          <label
            key={label}
            className="flex cursor-pointer gap-3 rounded-xl border border-edge bg-surface p-3.5 text-sm has-checked:border-accent has-checked:bg-tint"
          >
            <input
              type="radio"
              name="until"
              checked={value === key}
              onChange={() => onChange(key)}
              className="mt-0.5 size-4.5 accent-accent"
            />
            <span>
              <span className="block font-medium">{label}</span>
              <span className="mt-0.5 block text-muted">{hint}</span>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
