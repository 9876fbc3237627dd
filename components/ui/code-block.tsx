import type { ReactNode } from 'react';
import { CopyButton, type CopyWords } from './copy-button';

interface CodeBlockProps {
  title: string;
  /** The text for the copy button; no button without it. */
  copy?: { text: string; words: CopyWords };
  children: ReactNode;
}

/** A dark panel in both colour schemes. Long lines wrap instead of scrolling sideways. */
export function CodeBlock({ title, copy, children }: CodeBlockProps) {
  return (
    <figure className="overflow-hidden rounded-xl border border-code-line bg-code text-on-code">
      <figcaption className="flex min-h-12 items-center justify-between gap-3 border-b border-code-line py-1.5 pr-2 pl-4 text-xs text-on-code-muted">
        <span className="font-mono">{title}</span>
        {copy ? <CopyButton {...copy} label={`${copy.words.idle}: ${title}`} /> : null}
      </figcaption>
      <pre className="px-4 py-4 font-mono text-[0.8125rem]/6 wrap-anywhere whitespace-pre-wrap">{children}</pre>
    </figure>
  );
}
