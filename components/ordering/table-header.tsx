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
      <div className="mx-auto grid max-w-6xl grid-cols-[minmax(0,1fr)_auto] items-center gap-x-5 gap-y-4 px-5 pt-8 pb-6 sm:px-8 sm:pt-14 sm:pb-12">
        <div>
          {storeName.includes(merchantName) ? null : (
            <p className="mb-1.5 text-sm font-medium text-accent wrap-anywhere">{merchantName}</p>
          )}
          <h1 className="text-[1.875rem]/[1.1] font-semibold text-wrap tracking-[-0.03em] wrap-anywhere sm:text-5xl/[1.05]">
            {storeName}
          </h1>
        </div>
        <div className="sm:row-span-2">{table === null ? null : <TablePlate label={words.table} table={table} />}</div>
        <p className="col-span-2 max-w-md text-pretty leading-relaxed text-muted sm:col-span-1 sm:text-lg">
          {words.howToOrder}
        </p>
      </div>
    </header>
  );
}
