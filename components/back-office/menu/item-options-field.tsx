'use client';

import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useController } from 'react-hook-form';
import { iconButtonLook } from '../../ui/icon-button';
import { Link } from '../../ui/link';
import { Section } from '../../ui/section';
import { SelectBox } from '../../ui/select';
import { SortableList } from '../../ui/sortable-list';
import { useTRPC } from '../office/trpc';
import { useBoundsText } from './option-bounds';

/** The modifier groups of an item, in order. */
export function ItemOptionsField() {
  const t = useTranslations('menu');
  const trpc = useTRPC();
  const boundsText = useBoundsText();
  const { field } = useController({ name: 'optionGroupIds' });
  const { data } = useQuery(trpc.menu.optionGroups.queryOptions());
  const groups = data ?? [];
  const ids: string[] = field.value;
  const chosen = ids.flatMap((id) => groups.find(({ optionGroupId }) => optionGroupId === id) ?? []);
  const others = groups.filter(({ optionGroupId }) => !ids.includes(optionGroupId));
  return (
    <Section
      title={t('options')}
      description={t('itemOptionsHint')}
      actions={
        <Link href="/menu/options" className="rounded text-sm font-medium text-accent underline underline-offset-4">
          {t('manageOptionGroups')}
        </Link>
      }
    >
      <SortableList
        label={t('options')}
        items={chosen}
        keyOf={({ optionGroupId }) => optionGroupId}
        nameOf={({ name }) => name}
        onOrder={field.onChange}
        className="mb-3 flex flex-col gap-2 empty:hidden"
        itemClassName="rounded-xl border border-line bg-surface pl-1"
      >
        {({ optionGroupId, name, options, ...bounds }) => (
          <>
            <div className="min-w-0 grow py-2.5">
              <p className="text-sm font-medium wrap-anywhere">{name}</p>
              <p className="text-sm text-muted">
                {boundsText(bounds)} · {options.map((option) => option.name).join(', ')}
              </p>
            </div>
            <button
              type="button"
              aria-label={t('removeOptionGroup', { name })}
              className={iconButtonLook}
              onClick={() => field.onChange(ids.filter((id) => id !== optionGroupId))}
            >
              <X className="size-4" aria-hidden="true" />
            </button>
          </>
        )}
      </SortableList>
      {others.length > 0 ? (
        <SelectBox
          aria-label={t('addOptionGroup')}
          value=""
          onChange={({ target }) => field.onChange([...ids, target.value])}
          options={[
            { value: '', label: t('addOptionGroup') },
            ...others.map(({ optionGroupId, name }) => ({ value: optionGroupId, label: name })),
          ]}
        />
      ) : null}
      {data?.length === 0 ? <p className="text-sm text-muted">{t('noOptionGroupsYet')}</p> : null}
    </Section>
  );
}
