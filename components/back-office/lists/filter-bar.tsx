import type { ReactNode } from 'react';

/** A list's filters: in a row on a desktop, two per line on a phone. */
export const FilterBar = ({ children }: { children: ReactNode }) => (
  <div className="mb-4 grid grid-cols-2 items-end gap-2 max-sm:[&_select]:w-full max-sm:[&_select]:max-w-none max-sm:[&>:nth-child(2):last-child]:col-span-2 max-sm:[&>button]:col-span-2 sm:flex sm:flex-wrap sm:items-center sm:gap-3 sm:[&>:first-child]:max-w-sm sm:[&_:is(input,select)]:min-h-10 sm:[&_:is(input,select)]:text-sm">
    {children}
  </div>
);
