import type { ReactNode } from 'react';
import { classNames } from '../../ui/class-names';
import { Link } from '../../ui/link';
import { FigureLink } from './figure-link';
import { type FigureKey, FigureName } from './figure-name';

interface FigureProps {
  figure: FigureKey;
  value: string;
  /** Shown below: a count, or the period compared with. */
  note?: ReactNode;
  /** Figures that it is computed from, each with the screen that lists what it counts. */
  parts?: { name: string; value: string; href: string }[];
  /** The screen with what the figure counts. */
  href?: string;
}

/** A large figure with its name. */
export function Figure({ figure, value, note, parts, href }: FigureProps) {
  return (
    <div
      className={classNames(
        'relative min-w-0 rounded-2xl border border-line bg-surface p-4 sm:p-5',
        href ? 'hover:border-edge' : null,
      )}
    >
      <dt className="text-sm text-muted *:relative *:z-1">
        <FigureName figure={figure} />
      </dt>
      <dd className="mt-1.5">
        <span className="block text-xl font-semibold tracking-tight tabular-nums wrap-anywhere sm:text-2xl">
          {href ? (
            <FigureLink figure={figure} href={href}>
              {value}
            </FigureLink>
          ) : (
            value
          )}
        </span>
        {note ? <span className="mt-1 block text-sm text-muted">{note}</span> : null}
        {parts ? (
          <span className="mt-2 block border-t border-line/60 pt-1 text-sm">
            {parts.map((part) => (
              <Link
                key={part.name}
                href={part.href}
                className="relative z-1 flex flex-wrap justify-between gap-x-3 rounded py-1 underline-offset-4 hover:underline"
              >
                <span className="text-muted">{part.name}</span> <span className="tabular-nums">{part.value}</span>
              </Link>
            ))}
          </span>
        ) : null}
      </dd>
    </div>
  );
}

/** Figures in a row: two on a phone, four on a desktop. */
export const Figures = ({ children }: { children: ReactNode }) => (
  <dl className="grid grid-cols-2 gap-3 sm:gap-4 lg:grid-cols-4">{children}</dl>
);
