import { TablePlate } from './table-plate';
import type { OrderingWords } from './words';

interface TableHeaderProps {
  merchantName: string;
  storeName: string;
  /** Null where the point of sale did not say. */
  table: string | null;
  words: OrderingWords;
}

/** Where the diner is. */
export function TableHeader({ merchantName, storeName, table, words }: TableHeaderProps) {
  return (
    <header className="relative isolate overflow-hidden">
      <div className="tablecloth absolute inset-0 -z-10" aria-hidden="true" />
      <div className="mx-auto flex max-w-6xl items-center justify-between gap-5 px-5 pt-8 pb-7 sm:px-8 sm:pt-14 sm:pb-12">
        <div className="min-w-0">
          {storeName.includes(merchantName) ? null : (
            <p className="mb-1.5 text-sm font-medium text-accent wrap-anywhere">{merchantName}</p>
          )}
          <h1 className="text-[1.75rem]/[1.1] font-semibold tracking-[-0.03em] wrap-anywhere sm:text-5xl/[1.05]">
            {storeName}
          </h1>
          <p className="mt-3 max-w-md text-[0.9375rem] leading-relaxed text-muted sm:mt-4 sm:text-lg">
            {words.howToOrder}
          </p>
        </div>
        {table === null ? null : <TablePlate label={words.table} table={table} />}
      </div>
    </header>
  );
}
