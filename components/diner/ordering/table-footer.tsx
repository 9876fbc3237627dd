import { productName } from '@/components/product';
import { Mark } from '@/components/site/mark';

/** `pricesIn` says what the prices include, or their currency. `width` is that of the page above it. */
export function TableFooter({ pricesIn, width = 'max-w-6xl' }: { pricesIn?: string | null; width?: string }) {
  return (
    <footer className="mt-auto border-t border-line">
      <div
        className={`mx-auto flex ${width} flex-wrap items-center justify-between gap-x-8 gap-y-2 px-5 py-6 text-sm text-muted sm:px-8`}
      >
        {pricesIn ? <p>{pricesIn}</p> : null}
        <p className="flex items-center gap-2">
          <Mark className="size-5" />
          {productName}
        </p>
      </div>
    </footer>
  );
}
