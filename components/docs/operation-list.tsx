import type { OperationGroup } from '@/server/docs/operations';
import { Link } from '../ui/link';
import { underlined } from './markdown';
import { MethodBadge } from './method-badge';

interface OperationListProps {
  groups: OperationGroup[];
  hrefOf(id: string): string;
}

/** All operations by subject. */
export function OperationList({ groups, hrefOf }: OperationListProps) {
  return (
    <div className="max-w-4xl">
      <h1 className="text-4xl/tight font-semibold tracking-[-0.03em]">API reference</h1>
      <p className="mt-4 flex flex-wrap gap-x-5 gap-y-2 text-sm">
        <a href="/api/openapi.json" className={underlined}>
          OpenAPI document
        </a>
        <a href="/api/postman.json" className={underlined}>
          Postman collection
        </a>
        <Link href="/docs/console" className={underlined}>
          API console
        </Link>
        <Link href="/docs/errors" className={underlined}>
          Errors by code
        </Link>
        <Link href="/docs/reference/event-types" className={underlined}>
          Event types
        </Link>
      </p>
      {groups.map(({ tag, description, operations }) => (
        <section key={tag} className="mt-10">
          <h2 className="text-xl font-semibold tracking-tight">{tag}</h2>
          <p className="mt-1 text-muted">{description}</p>
          <ul className="mt-3 divide-y divide-line rounded-xl border border-line bg-surface">
            {operations.map(({ id, method, path, summary }) => (
              <li key={id}>
                <Link
                  href={hrefOf(id)}
                  className="flex flex-wrap items-center gap-x-4 gap-y-1 rounded-xl px-4 py-3 hover:bg-tint"
                >
                  <MethodBadge method={method} />
                  <code className="font-mono text-sm wrap-anywhere">{path}</code>
                  <span className="text-sm text-muted sm:ml-auto">{summary}</span>
                </Link>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}
