import type { ReactNode } from 'react';

/** An important notice at the top. It is part of the loaded page, so screen readers do not announce it on their own. */
export function Notice({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="rounded-xl bg-caution-tint px-5 py-4 text-[0.9375rem] leading-relaxed text-caution">
      <p className="font-semibold">{title}</p>
      <p className="mt-0.5">{children}</p>
    </div>
  );
}
