import type { ReactNode } from 'react';

export interface Series {
  key: string;
  name: string;
  /** A colour of the theme, as a CSS value. */
  color: string;
  /** Drawn as a dashed line: the period compared with. */
  isDashed?: boolean;
}

/** Each colour contrasts with the page and with the other, in both themes. */
export const seriesColors = { first: 'var(--accent)', second: 'var(--chart-second)' };

export const axis = { stroke: 'none', tick: { fill: 'var(--muted)', fontSize: 12 }, tickLine: false, axisLine: false };
export const grid = { stroke: 'var(--line)', strokeDasharray: '3 4' };

/** Its figures appear under the pointer, on touch, and with the arrow keys; the table next to it has them all. */
export function ChartFrame({ label, series, children }: { label: string; series: Series[]; children: ReactNode }) {
  return (
    <div>
      <fieldset aria-label={label} className="h-72 min-w-0 select-none">
        {children}
      </fieldset>
      {series.length > 1 ? (
        <ul aria-hidden="true" className="mt-2 flex flex-wrap gap-x-5 gap-y-1 text-sm text-muted">
          {series.map(({ key, name, color, isDashed }) => (
            <li key={key} className="flex items-center gap-2">
              <svg className="size-2.5" viewBox="0 0 10 10" aria-hidden="true">
                {isDashed ? (
                  <path d="M0 5h4M6 5h4" stroke={color} strokeWidth="2.5" />
                ) : (
                  <rect width="10" height="10" rx="2.5" fill={color} />
                )}
              </svg>
              {name}
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  );
}

interface TooltipProps {
  title: string;
  series: Series[];
  values: Record<string, unknown> | undefined;
  format: (value: number) => string;
}

/** The figures under the pointer. */
export function ChartTooltip({ title, series, values, format }: TooltipProps) {
  return (
    <div className="rounded-lg border border-line bg-surface px-3 py-2 text-sm shadow-md">
      <p className="font-medium">{title}</p>
      {series.map(({ key, name }) => (
        <p key={key} className="flex justify-between gap-6 text-muted">
          {name} <span className="font-medium text-ink tabular-nums">{format(Number(values?.[key] ?? 0))}</span>
        </p>
      ))}
    </div>
  );
}
