import type { ReactNode } from 'react';
import { DocsNav, type DocsNavProps } from './docs-nav';
import { SearchForm } from './search-form';

/** A page of the documentation, with search and navigation beside it. */
export function DocsShell({ children, ...nav }: DocsNavProps & { children: ReactNode }) {
  return (
    <div className="mx-auto grid w-full max-w-7xl flex-1 content-start gap-x-12 gap-y-6 px-5 pt-6 pb-24 sm:px-8 lg:grid-cols-[14rem_minmax(0,1fr)] lg:pt-10 xl:gap-x-16">
      <div className="space-y-4 lg:sticky lg:top-26 lg:max-h-[calc(100dvh-8rem)] lg:space-y-6 lg:self-start lg:overflow-y-auto lg:p-1 lg:pb-6">
        <SearchForm />
        <DocsNav {...nav} />
      </div>
      <main id="content" className="min-w-0 pt-2 lg:pt-0">
        {children}
      </main>
    </div>
  );
}
