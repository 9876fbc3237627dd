import { classNames } from '@/components/ui/class-names';

/** Returns a font size that fits the name. Points of sale name tables "7", "A12" or "Terrace, by the window". */
function sizeFor(table: string): string {
  if (table.length <= 4) return 'text-4xl/none';
  if (table.length <= 10) return 'text-xl/tight';
  return 'text-base/tight';
}

/** The product's logo, a table with a diner beside it, enlarged to hold the table's name. */
export function TablePlate({ label, table }: { label: string; table: string }) {
  return (
    <p className="relative mr-2.5 flex min-h-20 min-w-20 max-w-[min(10.5rem,100%)] shrink-0 flex-col items-center justify-center gap-1.5 rounded-[1.25rem] bg-plate px-4 py-3.5 text-center text-on-plate">
      <span className="text-xs/none font-medium">{label}</span>{' '}
      <span className={classNames('max-w-full font-semibold tracking-tight wrap-break-word', sizeFor(table))}>
        {table}
      </span>
      <span
        aria-hidden="true"
        className="absolute top-1/2 -right-3 size-6 -translate-y-1/2 rounded-full border-3 border-page bg-zest"
      />
    </p>
  );
}
