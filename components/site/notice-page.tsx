import type { ReactNode } from 'react';
import { Wordmark } from './wordmark';

/** A page with a single message: not found, an error, no access. */
export function NoticePage({ title, children, actions }: { title: string; children: ReactNode; actions: ReactNode }) {
  return (
    <>
      <header className="mx-auto flex h-16 w-full max-w-7xl items-center px-5 sm:px-8">
        <Wordmark />
      </header>
      <main id="content" className="relative isolate flex flex-1 items-center overflow-hidden">
        <div className="tablecloth absolute inset-0 -z-10" aria-hidden="true" />
        <div className="mx-auto w-full max-w-7xl px-5 pt-8 pb-32 sm:px-8">
          <h1 className="max-w-2xl text-4xl/tight font-semibold tracking-[-0.03em] sm:text-5xl/tight">{title}</h1>
          <div className="mt-5 max-w-xl text-lg leading-relaxed text-muted">{children}</div>
          <div className="mt-9 flex flex-wrap gap-3">{actions}</div>
        </div>
      </main>
    </>
  );
}
