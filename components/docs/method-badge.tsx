import type { Operation } from '@/server/docs/operations';
import { classNames } from '../ui/class-names';

export function MethodBadge({ method }: Pick<Operation, 'method'>) {
  return (
    <span
      className={classNames(
        'inline-block w-13 shrink-0 rounded-md border py-0.5 text-center font-mono text-xs font-semibold',
        method !== 'GET' ? 'border-transparent bg-tint text-accent' : 'border-edge',
      )}
    >
      {method}
    </span>
  );
}
