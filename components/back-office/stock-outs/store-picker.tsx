'use client';

import { useTranslations } from 'next-intl';

interface StorePickerProps {
  stores: { storeId: string; name: string }[];
  chosen: string[];
  onChange: (storeIds: string[]) => void;
}

/** Selects some stores, or all at once. */
export function StorePicker({ stores, chosen, onChange }: StorePickerProps) {
  const t = useTranslations('common');
  const all = stores.map(({ storeId }) => storeId);
  const hasAll = all.every((id) => chosen.includes(id));
  return (
    <fieldset>
      <legend className="text-sm font-medium">{t('store')}</legend>
      <div className="mt-1 flex max-h-48 flex-col overflow-y-auto">
        <Choice label={t('allStores')} checked={hasAll} onChange={(isOn) => onChange(isOn ? all : [])} />
        {stores.map(({ storeId, name }) => (
          <Choice
            key={storeId}
            label={name}
            checked={chosen.includes(storeId)}
            onChange={(isOn) => onChange(isOn ? [...chosen, storeId] : chosen.filter((id) => id !== storeId))}
          />
        ))}
      </div>
    </fieldset>
  );
}

interface ChoiceProps {
  label: string;
  /** Shown next to the label. */
  note?: string;
  checked: boolean;
  onChange: (isOn: boolean) => void;
}

export function Choice({ label, note, checked, onChange }: ChoiceProps) {
  return (
    <label className="flex min-h-10 shrink-0 cursor-pointer items-center gap-3 rounded-lg px-2 text-sm hover:bg-tint">
      <input
        type="checkbox"
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
        className="size-4.5 shrink-0 accent-accent"
      />
      <span className="min-w-0 grow wrap-anywhere">{label}</span>
      {note ? <span className="shrink-0 text-muted">{note}</span> : null}
    </label>
  );
}
