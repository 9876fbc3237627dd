import Markdown, { type Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { Link } from '../ui/link';

/** The anchor of a heading, as on GitHub. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\w\s-]/g, '')
    .replace(/\s/g, '-');

const underlined = 'font-medium underline decoration-edge underline-offset-4 hover:decoration-ink';

const components: Components = {
  h1: ({ children }) => <h1 className="text-4xl/tight font-semibold tracking-[-0.03em]">{children}</h1>,
  h2: ({ children }) => (
    <h2
      id={anchorOf(String(children))}
      className="mt-14 scroll-mt-24 border-t border-line pt-8 text-2xl font-semibold tracking-tight"
    >
      {children}
    </h2>
  ),
  p: ({ children }) => <p className="mt-4">{children}</p>,
  ul: ({ children }) => <ul className="mt-4 list-disc space-y-2 pl-5 marker:text-muted">{children}</ul>,
  ol: ({ children }) => <ol className="mt-4 list-decimal space-y-2 pl-6 marker:text-muted">{children}</ol>,
  a: ({ href, children }) => (
    <a href={href} className={underlined}>
      {children}
    </a>
  ),
  code: ({ children }) => (
    <code className="rounded bg-surface px-1 py-0.5 font-mono text-[0.875em] wrap-anywhere in-[td]:whitespace-nowrap">
      {children}
    </code>
  ),
  pre: ({ children }) => (
    <pre
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard
      tabIndex={0}
      className="mt-4 overflow-x-auto rounded-xl border border-line bg-surface p-4 text-sm [&_code]:bg-transparent [&_code]:p-0"
    >
      {children}
    </pre>
  ),
  table: ({ children }) => (
    <div
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard
      tabIndex={0}
      className="mt-6 overflow-x-auto rounded-xl border border-line"
    >
      <table className="w-full min-w-xl border-collapse text-left text-sm">{children}</table>
    </div>
  ),
  th: ({ children }) => <th className="border-b border-line bg-surface px-4 py-2.5 font-semibold">{children}</th>,
  td: ({ children }) => (
    <td className="border-b border-line px-4 py-2.5 align-top in-[tr:last-child]:border-b-0">{children}</td>
  ),
};

/** The integration guide, with its table of contents. `text` is our own Markdown. */
export function Guide({ text }: { text: string }) {
  const headings = [...text.matchAll(/^## (.+)$/gm)].map(([, heading = '']) => heading);
  return (
    <div className="grid gap-12 lg:grid-cols-[14rem_minmax(0,1fr)] xl:gap-16">
      <nav aria-label="Sections" className="text-sm max-lg:hidden">
        <ul className="sticky top-24 border-l border-line">
          {headings.map((heading) => (
            <li key={heading}>
              <a
                href={`#${anchorOf(heading)}`}
                className="-ml-px block border-l border-transparent py-1.5 pl-4 leading-snug text-muted transition-colors hover:border-accent hover:text-ink"
              >
                {heading}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <article className="max-w-3xl min-w-0 leading-relaxed">
        <p className="mb-8 text-sm text-muted">
          Integration guide · every field is in the{' '}
          <Link href="/docs" className={underlined}>
            API reference
          </Link>
        </p>
        <Markdown components={components} remarkPlugins={[remarkGfm]}>
          {text}
        </Markdown>
      </article>
    </div>
  );
}
