import type { ErrorEntry } from '@/server/docs/error-codes';
import { Link } from '../ui/link';
import { underlined } from './markdown';
import { Text } from './text';

interface ErrorListProps {
  entries: ErrorEntry[];
  /** The link to an operation, by its id. */
  operationLink(id: string): { href: string; title: string };
}

/** Every code with its status, meaning, details and operations. */
export function ErrorList({ entries, operationLink }: ErrorListProps) {
  return (
    <ul className="mt-4 divide-y divide-line border-y border-line">
      {entries.map(({ code, status, meaning, details, operationIds }) => (
        <li key={code} id={code} className="-mx-3 scroll-mt-24 px-3 py-4 target:bg-tint">
          <h3 className="flex flex-wrap items-baseline gap-x-3">
            <a href={`#${code}`} className="font-mono text-[0.9375rem] font-semibold hover:underline">
              {code}
            </a>
            <span className="font-mono text-sm font-normal text-muted">{status}</span>
          </h3>
          <p className="mt-1">
            <Text>{meaning}</Text>
          </p>
          {details.length > 0 ? (
            <p className="mt-1 text-sm text-muted">
              <Text>{`Details: ${details.map((name) => `\`${name}\``).join(', ')}`}</Text>
            </p>
          ) : null}
          {operationIds.length > 0 ? (
            <p className="mt-1 flex flex-wrap gap-x-4 text-sm">
              {operationIds.map((id) => {
                const { href, title } = operationLink(id);
                return (
                  <Link key={id} href={href} className={underlined}>
                    {title}
                  </Link>
                );
              })}
            </p>
          ) : (
            <p className="mt-1 text-sm text-muted">Any request.</p>
          )}
        </li>
      ))}
    </ul>
  );
}
