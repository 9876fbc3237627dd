import { classNames } from '../ui/class-names';

export function MethodBadge({ method }: { method: 'GET' | 'POST' }) {
  return (
    <span
      className={classNames(
        'inline-block w-13 shrink-0 rounded-md border py-0.5 text-center font-mono text-xs font-semibold',
        method === 'POST' ? 'border-transparent bg-tint text-accent' : 'border-edge',
      )}
    >
      {method}
    </span>
  );
}
