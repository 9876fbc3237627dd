import type { ReactNode } from 'react';

interface FigureProps {
  label: string;
  value: string;
  /** Below it: how many, or against when. */
  note?: ReactNode;
}

/** A figure that is read at a glance. */
export function Figure({ label, value, note }: FigureProps) {
  return (
    <div className="min-w-0 rounded-2xl border border-line bg-surface p-4 sm:p-5">
      <dt className="text-sm text-muted">{label}</dt>
      <dd className="mt-1.5">
        <span className="block text-xl font-semibold tracking-tight tabular-nums wrap-anywhere sm:text-2xl">
          {value}
        </span>
        {note ? <span className="mt-1 block text-sm text-muted">{note}</span> : null}
      </dd>
    </div>
  );
}

/** Figures side by side: two on a phone, four on a desktop. */
export const Figures = ({ children }: { children: ReactNode }) => (
  <dl className="grid grid-cols-2 gap-3 sm:gap-4 lg:grid-cols-4">{children}</dl>
);
