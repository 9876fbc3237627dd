import type { ReactNode } from 'react';
import { classNames } from './class-names';
import { AlertIcon, ClockIcon } from './icons';

const tones = {
  danger: { look: 'bg-danger-tint text-danger', icon: AlertIcon },
  caution: { look: 'bg-caution-tint text-caution', icon: ClockIcon },
};

/** A message that is read out as soon as it appears. */
export function Alert({ tone, title, children }: { tone: keyof typeof tones; title: string; children?: ReactNode }) {
  const { look, icon: Icon } = tones[tone];
  return (
    <div
      role="alert"
      className={classNames('flex gap-3 rounded-lg px-4 py-3 text-sm [&>svg]:mt-0.5 [&>svg]:shrink-0', look)}
    >
      <Icon />
      <div className="min-w-0">
        <p className="font-medium">{title}</p>
        {children ? <p className="mt-0.5">{children}</p> : null}
      </div>
    </div>
  );
}
