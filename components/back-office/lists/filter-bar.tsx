'use client';

import { SlidersHorizontal } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { type ReactNode, useId, useState } from 'react';
import { Button } from '../../ui/button';
import { classNames } from '../../ui/class-names';

interface FilterBarProps {
  /** Always visible. */
  search?: ReactNode;
  /**
   * The number of filters that are set. If given, the filters are behind a button on a phone, which shows the number.
   */
  count?: number;
  children: ReactNode;
}

/** A list's filters: in a row on a desktop, two per line on a phone. */
export function FilterBar({ search, count, children }: FilterBarProps) {
  const t = useTranslations('common');
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const isFolded = count !== undefined && !isOpen;
  return (
    <div className="mb-4 grid grid-cols-2 items-end gap-2 max-sm:[&_select]:w-full max-sm:[&_select]:max-w-none max-sm:[&>:nth-child(2):last-child]:col-span-2 max-sm:[&>:first-child:nth-last-child(2)]:col-span-2 max-sm:[&>button]:col-span-2 sm:flex sm:flex-wrap sm:items-center sm:gap-3 sm:[&>:first-child]:max-w-sm sm:[&_:is(input,select)]:min-h-10 sm:[&_:is(input,select)]:text-sm">
      {search}
      {count === undefined ? null : (
        <Button
          variant="secondary"
          size="small"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
          className="sm:hidden"
        >
          <SlidersHorizontal className="size-4" aria-hidden="true" />
          {t('filtersSet', { count })}
        </Button>
      )}
      {count === undefined ? (
        children
      ) : (
        <div
          id={id}
          className={classNames(
            'col-span-2 grid-cols-2 items-end gap-2 sm:contents max-sm:[&>button]:col-span-2',
            isFolded ? 'max-sm:hidden' : 'max-sm:grid',
          )}
        >
          {children}
        </div>
      )}
    </div>
  );
}
