import type { Hit } from '@/server/docs/search';
import { Link } from '../ui/link';

/** The results of a query, with the found words marked. */
export function SearchResults({ query, hits }: { query: string; hits: Hit[] }) {
  return (
    <div className="max-w-3xl">
      <h1 className="text-3xl/tight font-semibold tracking-[-0.03em]">Search</h1>
      <p role="status" className="mt-3 text-muted">
        {summaryOf(query, hits.length)}
      </p>
      <ul className="mt-4 divide-y divide-line">
        {hits.map(({ href, page, title, excerpt }) => (
          <li key={href}>
            <Link href={href} className="-mx-3 block rounded-lg px-3 py-4 hover:bg-tint">
              <span className="font-medium">{title}</span>
              {page === title ? null : <span className="ml-3 text-sm text-muted">{page}</span>}
              <span className="mt-1 block text-sm leading-relaxed text-muted">
                {excerpt.map(({ text, isMatch }, i) =>
                  isMatch ? (
                    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other identity
                    <mark key={i} className="rounded-xs bg-transparent font-semibold text-ink">
                      {text}
                    </mark>
                  ) : (
                    text
                  ),
                )}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}

function summaryOf(query: string, count: number): string {
  if (query === '') return 'Type what you are looking for, such as “retry” or “pin_locked”.';
  if (count === 0) return `Nothing found for “${query}”. Try another word, or look through the guides.`;
  return count === 1 ? '1 result' : `${count} results`;
}
