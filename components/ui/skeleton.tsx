import { classNames } from './class-names';

/** A placeholder while something loads; announced once to screen readers. */
export function Skeleton({ label, className }: { label: string; className?: string }) {
  return (
    <div
      role="status"
      className={classNames('animate-pulse rounded-xl bg-tint motion-reduce:animate-none', className ?? 'h-40')}
    >
      <span className="sr-only">{label}</span>
    </div>
  );
}
