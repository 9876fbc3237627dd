'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { useFormContext, useWatch } from 'react-hook-form';
import { minorDigits } from '@/server/domain/kernel/money';
import { isForItems } from '@/server/domain/kernel/voucher-units';
import type { CampaignInput } from '@/server/domain/vouchers';
import { useOffice } from '../office/office';
import { useTRPC } from '../office/trpc';
import { useFormat } from '../state/format';
import { type SampleItem, sampleBill } from './sample-bill';

type Draft = Partial<{ [Field in keyof CampaignInput]: CampaignInput[Field] | null }>;

/** An example bill with the voucher of the form applied. */
export function BillExample() {
  const t = useTranslations('vouchers');
  const { money } = useFormat();
  const draft = useWatch({ control: useFormContext<CampaignInput>().control }) as Draft;
  const { currency } = useOffice().merchant;
  const bill = sampleBill(termsOf(draft), useItems(draft.plus ?? []), useMenuItems(), currency);
  const isPriced = bill.discount !== null;
  return (
    <section aria-label={t('example')} className="drop-shadow-[0_10px_18px_oklch(0.2_0.03_165/0.14)]">
      <div className="slip-edges bg-slip px-6 py-9 font-mono text-[0.8125rem]/6 text-on-slip">
        <p className="text-center text-xs tracking-[0.18em] uppercase">{t('example')}</p>
        <p className="mt-1 text-center text-base font-semibold tracking-tight wrap-anywhere">
          {draft.name?.trim() || t('nameless')}
        </p>
        <ul className="mt-5 flex flex-col gap-1 border-t border-dashed border-on-slip-muted pt-4">
          {bill.lines.map(({ plu, name, price, quantity, discount }) => (
            <Line key={plu} label={`${quantity} × ${name}`} figure={money(price * quantity)}>
              {discount > 0 && draft.unit && isForItems(draft.unit) ? (
                <p className="text-right text-xs text-on-slip-muted tabular-nums">−{money(discount)}</p>
              ) : null}
            </Line>
          ))}
        </ul>
        <ul aria-live="polite" className="mt-4 flex flex-col gap-1 border-t border-dashed border-on-slip-muted pt-4">
          <Line label={t('bill')} figure={money(bill.amount)} />
          {isPriced ? <Line label={t('voucher')} figure={`−${money(bill.discount ?? 0)}`} /> : null}
          <Line label={t('toPay')} figure={money(bill.amount - (bill.discount ?? 0))} isStrong />
        </ul>
        {isPriced ? null : <p className="mt-5 text-center text-xs/5 text-on-slip-muted">{t('exampleEmpty')}</p>}
      </div>
    </section>
  );
}

interface LineProps {
  label: string;
  figure: string;
  isStrong?: boolean;
  children?: ReactNode;
}

function Line({ label, figure, isStrong = false, children }: LineProps) {
  return (
    <li>
      <p className={isStrong ? 'flex items-baseline gap-2 text-base font-semibold' : 'flex items-baseline gap-2'}>
        <span className="min-w-0 wrap-anywhere">{label}</span>
        <span className="leader" aria-hidden="true" />
        <span className="tabular-nums">{figure}</span>
      </p>
      {children}
    </li>
  );
}

const whole = (value: number | null | undefined): number | null =>
  Number.isSafeInteger(value) && Number(value) > 0 ? Number(value) : null;

function termsOf({ unit, value, plus, minSpend, maxDiscount, maxUnits }: Draft) {
  return {
    unit: unit ?? 'BillDollarValue',
    value: whole(value) ?? 0,
    plus: plus ?? [],
    minSpend: whole(minSpend) ?? 0,
    maxDiscount: whole(maxDiscount),
    maxUnits: whole(maxUnits) ?? 1,
  } as const;
}

/** The selected items as on the menu, with an example price for those that are not on it. */
function useItems(plus: string[]): SampleItem[] {
  const { data: known = [] } = useQuery({
    ...useTRPC().campaigns.pluChoices.queryOptions({ plus }),
    placeholderData: keepPreviousData,
    enabled: plus.length > 0,
  });
  const unit = useUnit();
  return plus.map((plu) => known.find((item) => item.plu === plu) ?? { plu, name: plu, price: 8 * unit });
}

/** A few menu items, or three common dishes if the menu is empty. */
function useMenuItems(): SampleItem[] {
  const t = useTranslations('vouchers');
  const { data = [] } = useQuery(useTRPC().campaigns.pluChoices.queryOptions({ search: '' }));
  const unit = useUnit();
  const names = [t('sampleMain'), t('sampleSide'), t('sampleDrink')];
  return data.length >= 3
    ? data
    : names.map((name, at) => ({ plu: name, name, price: ([12, 7, 5][at] as number) * unit }));
}

/** One major unit of the currency, in minor units. 100 if the currency has no minor unit. */
function useUnit(): number {
  const digits = minorDigits(useOffice().merchant.currency);
  return digits === 0 ? 100 : 10 ** digits;
}
