import type { ReactNode } from 'react';

interface SignInCardProps {
  title: string;
  lead: ReactNode;
  children?: ReactNode;
  /** Links to related pages. */
  foot?: ReactNode;
}

export function SignInCard({ title, lead, children, foot }: SignInCardProps) {
  return (
    <div className="w-full max-w-md self-start sm:rounded-2xl sm:border sm:border-line sm:bg-surface sm:p-10">
      <h1 className="text-3xl font-semibold tracking-[-0.025em] wrap-anywhere">{title}</h1>
      <p className="mt-3 mb-8 leading-relaxed wrap-anywhere text-muted">{lead}</p>
      {children}
      {foot ? <div className="mt-8 border-t border-line pt-6 text-sm leading-relaxed text-muted">{foot}</div> : null}
    </div>
  );
}

export const footLinkLook = 'font-medium text-ink underline decoration-edge underline-offset-4 hover:decoration-ink';
