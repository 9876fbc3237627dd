import { TableFooter } from '../table-footer';

interface CardNoticeProps {
  title: string;
  text: string;
}

/** The page of a card that leads nowhere. */
export function CardNotice({ title, text }: CardNoticeProps) {
  return (
    <>
      <main className="relative isolate flex-1 overflow-hidden">
        <div className="tablecloth absolute inset-0 -z-10" aria-hidden="true" />
        <div className="mx-auto w-full max-w-2xl px-5 pt-10 pb-14 sm:px-8 sm:py-14">
          <h1 className="text-[min(1.875rem,8.75vw)]/tight font-semibold tracking-[-0.03em] wrap-anywhere sm:text-5xl/tight">
            {title}
          </h1>
          <p className="mt-5 text-lg leading-relaxed text-muted">{text}</p>
        </div>
      </main>
      <TableFooter width="max-w-2xl" />
    </>
  );
}
