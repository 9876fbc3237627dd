import type { ReactNode } from 'react';
import { Link } from '../ui/link';
import { Markdown, type Site } from './markdown';

interface GuidePageProps {
  text: string;
  site: Site;
  /** The second-level headings. */
  headings: string[];
  next?: { href: string; title: string } | undefined;
  children?: ReactNode;
}

/** A guide with its headings beside it and the next guide below it. */
export function GuidePage({ text, site, headings, next, children }: GuidePageProps) {
  return (
    <div className="grid gap-12 xl:grid-cols-[minmax(0,1fr)_12rem]">
      <article className="max-w-3xl min-w-0 leading-relaxed">
        <Markdown text={text} site={site} />
        {children}
        {next ? (
          <p className="mt-16 border-t border-line pt-6 text-sm text-muted">
            Next:{' '}
            <Link
              href={next.href}
              className="text-base font-medium text-ink underline decoration-edge underline-offset-4 hover:decoration-ink"
            >
              {next.title}
            </Link>
          </p>
        ) : null}
      </article>
      {headings.length > 1 ? (
        <nav aria-label="On this page" className="text-sm max-xl:hidden">
          <div className="sticky top-26">
            <p className="font-semibold">On this page</p>
            <ul className="mt-2 space-y-2">
              {headings.map((heading) => (
                <li key={heading}>
                  <a href={`#${site.anchorOf(heading)}`} className="leading-snug text-muted hover:text-ink">
                    {heading}
                  </a>
                </li>
              ))}
            </ul>
          </div>
        </nav>
      ) : null}
    </div>
  );
}
