import { TableFooter } from '@/components/diner/ordering/table-footer';
import { findVisit } from './load-visit';

/** Shown for an unknown merchant. */
export default async function UnknownMerchantPage() {
  const { words } = await findVisit('');
  return (
    <>
      <main id="content" className="mx-auto flex w-full max-w-2xl flex-1 flex-col justify-center px-5 py-16 sm:px-8">
        <h1 className="text-3xl/tight font-semibold tracking-[-0.03em]">{words.notFoundTitle}</h1>
        <p className="mt-4 text-lg leading-relaxed text-muted">{words.notFoundText}</p>
      </main>
      <TableFooter />
    </>
  );
}
