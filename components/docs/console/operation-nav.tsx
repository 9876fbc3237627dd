import type { OperationGroup } from './open-api-document';

interface OperationNavProps {
  groups: OperationGroup[];
  onSelect: (tag: string, operationId: string) => void;
}

/** All operations, with the same URLs that the reference itself links to. */
export function OperationNav({ groups, onSelect }: OperationNavProps) {
  return (
    <nav aria-label="Operations" className="space-y-7 text-sm">
      {groups.map(({ tag, operations }) => (
        <div key={tag}>
          <p className="font-semibold">{tag}</p>
          <ul className="mt-2 border-l border-line">
            {operations.map(({ operationId, summary }) => (
              <li key={operationId}>
                <a
                  href={`#/${encodeURIComponent(tag)}/${operationId}`}
                  onClick={() => onSelect(tag, operationId)}
                  className="-ml-px block border-l border-transparent py-1.5 pl-4 leading-snug text-muted transition-colors hover:border-accent hover:text-ink"
                >
                  {summary}
                </a>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}
