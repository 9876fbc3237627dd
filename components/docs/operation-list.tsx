import type { OperationGroup } from '@/server/docs/operations';
import { Link } from '../ui/link';
import { DocumentLinks } from './document-links';
import { MethodBadge } from './method-badge';

interface OperationListProps {
  groups: OperationGroup[];
  hrefOf(id: string): string;
}

const pages: [string, string][] = [
  ['/docs/errors', 'Errors by code'],
  ['/docs/reference/event-types', 'Event types'],
];

/** All operations by subject. */
export function OperationList({ groups, hrefOf }: OperationListProps) {
  return (
    <div className="max-w-4xl">
      <h1 className="text-4xl/tight font-semibold tracking-[-0.03em]">API reference</h1>
      <div className="mt-4">
        <DocumentLinks pages={pages} />
      </div>
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
