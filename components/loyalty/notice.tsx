import type { ReactNode } from 'react';

/** Something to know before all else; it was there when the page came, so nothing reads it out by itself. */
export function Notice({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="rounded-xl bg-caution-tint px-5 py-4 text-[0.9375rem] leading-relaxed text-caution">
      <p className="font-semibold">{title}</p>
      <p className="mt-0.5">{children}</p>
    </div>
  );
}
