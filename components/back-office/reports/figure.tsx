import type { ReactNode } from 'react';
import { type FigureKey, FigureName } from './figure-name';

interface FigureProps {
  figure: FigureKey;
  value: string;
  /** Shown below: a count, or the period compared with. */
  note?: ReactNode;
}

/** A large figure with its name. */
export function Figure({ figure, value, note }: FigureProps) {
  return (
    <div className="min-w-0 rounded-2xl border border-line bg-surface p-4 sm:p-5">
      <dt className="text-sm text-muted">
        <FigureName figure={figure} />
      </dt>
      <dd className="mt-1.5">
        <span className="block text-xl font-semibold tracking-tight tabular-nums wrap-anywhere sm:text-2xl">
          {value}
        </span>
        {note ? <span className="mt-1 block text-sm text-muted">{note}</span> : null}
      </dd>
    </div>
  );
}

/** Figures in a row: two on a phone, four on a desktop. */
export const Figures = ({ children }: { children: ReactNode }) => (
  <dl className="grid grid-cols-2 gap-3 sm:gap-4 lg:grid-cols-4">{children}</dl>
);
