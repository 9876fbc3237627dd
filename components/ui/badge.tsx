import type { ReactNode } from 'react';
import { classNames } from './class-names';

const tones = {
  neutral: 'border-edge/50 text-muted',
  good: 'border-accent/30 bg-tint text-accent',
  caution: 'border-caution/30 bg-caution-tint text-caution',
  danger: 'border-danger/30 bg-danger-tint text-danger',
};
export type Tone = keyof typeof tones;

/** A state in a word or two. */
export function Badge({ tone = 'neutral', children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span
      className={classNames(
        'inline-flex items-center rounded-full border px-2.5 py-0.5 text-xs font-medium whitespace-nowrap',
        tones[tone],
      )}
    >
      {children}
    </span>
  );
}
