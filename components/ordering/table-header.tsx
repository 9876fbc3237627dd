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
      <div className="mx-auto flex max-w-6xl flex-wrap items-center justify-between gap-x-5 gap-y-4 px-5 pt-8 pb-6 sm:px-8 sm:pt-14 sm:pb-12">
        <div className="min-w-0 flex-1">
          {storeName.includes(merchantName) ? null : (
            <p className="mb-1.5 text-sm font-medium text-accent wrap-anywhere">{merchantName}</p>
          )}
          <h1 className="text-[1.875rem]/[1.1] font-semibold tracking-[-0.03em] wrap-anywhere sm:text-5xl/[1.05]">
            {storeName}
          </h1>
        </div>
        {table === null ? null : <TablePlate label={words.table} table={table} />}
        <p className="w-full max-w-md text-pretty leading-relaxed text-muted sm:text-lg">{words.howToOrder}</p>
      </div>
    </header>
  );
}
