import { ButtonLink } from '../ui/button';
import { ArrowRightIcon } from '../ui/icons';
import { Link } from '../ui/link';
import { DocumentLinks } from './document-links';

interface DocsStartProps {
  chapters: { title: string; guides: { href: string; title: string; summary: string }[] }[];
}

/** Where to start, and all guides with their purpose. */
export function DocsStart({ chapters }: DocsStartProps) {
  return (
    <div className="max-w-4xl">
      <h1 className="text-4xl/tight font-semibold tracking-[-0.03em]">Documentation</h1>
      <p className="mt-4 max-w-2xl text-lg leading-relaxed text-muted">
        Connect a point of sale: balances, top-ups, vouchers, points, sales, and orders from the table. Plain JSON over
        HTTPS, with samples in six languages.
      </p>
      <div className="mt-7 flex flex-wrap gap-3">
        <ButtonLink href="/docs/first-call">
          Make the first call
          <ArrowRightIcon />
        </ButtonLink>
        <ButtonLink href="/docs/reference" variant="secondary">
          API reference
        </ButtonLink>
      </div>
      <div className="mt-6">
        <DocumentLinks pages={[['/docs/changelog', 'Changelog']]} />
      </div>
      {chapters.map(({ title, guides }) => (
        <section key={title} className="mt-12">
          <h2 className="text-xl font-semibold tracking-tight">{title}</h2>
          <ul className="mt-4 grid gap-3 sm:grid-cols-2">
            {guides.map(({ href, title: name, summary }) => (
              <li key={href}>
                <Link
                  href={href}
                  className="block h-full rounded-xl border border-line bg-surface p-4 transition-colors hover:border-edge"
                >
                  <span className="font-medium">{name}</span>
                  <span className="mt-1 block text-sm leading-relaxed text-muted">{summary}</span>
                </Link>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}
