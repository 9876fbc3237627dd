'use client';

import { usePathname } from 'next/navigation';
import { Link } from '../ui/link';

export interface NavGroup {
  title: string;
  links: { href: string; title: string }[];
}

function Groups({ groups, label }: { groups: NavGroup[]; label: string }) {
  const path = usePathname() ?? '';
  return (
    <nav aria-label={label} className="space-y-6 text-sm">
      {groups.map(({ title, links }) => (
        <div key={title}>
          <p className="font-semibold">{title}</p>
          <ul className="mt-1.5 border-l border-line">
            {links.map(({ href, title: name }) => (
              <li key={href}>
                <Link
                  href={href}
                  aria-current={path === href ? 'page' : undefined}
                  className="-ml-px block border-l border-transparent py-1.5 pl-4 leading-snug text-muted transition-colors hover:border-edge hover:text-ink aria-[current=page]:border-accent aria-[current=page]:font-medium aria-[current=page]:text-ink"
                >
                  {name}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

export interface DocsNavProps {
  guides: NavGroup[];
  reference: NavGroup[];
}

/** The guides, or within the reference the operations: beside the page, or above it on a phone. */
export function DocsNav({ guides, reference }: DocsNavProps) {
  const path = usePathname() ?? '';
  const groups = path.startsWith('/docs/reference') ? reference : guides;
  return (
    <>
      <details key={path} className="rounded-xl border border-line bg-surface lg:hidden">
        <summary className="cursor-pointer px-4 py-3 text-sm font-medium">All pages</summary>
        <div className="border-t border-line p-4">
          <Groups groups={groups} label="All pages" />
        </div>
      </details>
      <div className="max-lg:hidden">
        <Groups groups={groups} label="Documentation" />
      </div>
    </>
  );
}
