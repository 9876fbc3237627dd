import { ArrowLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from './link';

interface PageHeaderProps {
  title: string;
  /** The screen's purpose, in one sentence. */
  description?: ReactNode;
  /** The list that this page's item belongs to. */
  back?: { href: string; label: string };
  /** Shown next to the title, such as a state. */
  badge?: ReactNode;
  actions?: ReactNode;
}

export function PageHeader({ title, description, back, badge, actions }: PageHeaderProps) {
  return (
    <header className="mb-7 print:hidden">
      {back ? (
        <Link
          href={back.href}
          className="mb-3 inline-flex items-center gap-1.5 rounded text-sm font-medium text-muted hover:text-ink"
        >
          <ArrowLeft className="size-4" aria-hidden="true" />
          {back.label}
        </Link>
      ) : null}
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-4 md:flex-nowrap">
        <div className="min-w-0">
          <div className="flex flex-wrap items-center gap-3">
            <h1 className="text-2xl/tight font-semibold tracking-[-0.02em] wrap-anywhere sm:text-3xl/tight">{title}</h1>
            {badge}
          </div>
          {description ? <p className="mt-2 max-w-2xl leading-relaxed text-pretty text-muted">{description}</p> : null}
        </div>
        {actions ? (
          <div className="flex flex-wrap items-center gap-2 max-md:[&>.bg-accent]:order-first md:shrink-0 md:justify-end [&_:is(a,button,select)]:min-h-10 [&_:is(a,button)]:px-4 [&_:is(a,button)]:text-sm">
            {actions}
          </div>
        ) : null}
      </div>
    </header>
  );
}
