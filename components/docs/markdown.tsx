import { Children, isValidElement, type ReactElement, type ReactNode } from 'react';
import ReactMarkdown, { type Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { CodeBlock } from '../ui/code-block';
import { Link } from '../ui/link';
import { copyWords } from './sample-choice';
import { SampleTabs, type ShownSample } from './sample-tabs';

/** How one of our pages becomes a page of the site. */
export interface Site {
  anchorOf(heading: string): string;
  /** The address of a link in the text. */
  hrefOf(link: string): string;
  /** The address for a word in code, if it names an operation or an error. */
  hrefOfCode(word: string): string | undefined;
  /** A shell sample in several languages, if it is a request. */
  samplesOf(shell: string): ShownSample[] | null;
}

export const underlined = 'font-medium underline decoration-edge underline-offset-4 hover:decoration-ink';

/** A word in code, with a link to what it names. */
export function InlineCode({ href, children }: { href?: string | undefined; children: ReactNode }) {
  const code = (
    <code className="rounded bg-tint px-1 py-0.5 font-mono text-[0.875em] wrap-anywhere in-[td]:wrap-break-word in-[td:first-child]:whitespace-nowrap">
      {children}
    </code>
  );
  return href ? (
    <Link href={href} className={underlined}>
      {code}
    </Link>
  ) : (
    code
  );
}

const textOf = (children: ReactNode): string =>
  Children.toArray(children)
    .map((child) => (isValidElement<{ children?: ReactNode }>(child) ? textOf(child.props.children) : String(child)))
    .join('');

const titles: Record<string, string> = { http: 'HTTP', js: 'JavaScript', json: 'JSON', sh: 'Shell', ts: 'TypeScript' };

interface Node {
  type: string;
  tagName?: string;
  properties?: object;
  children?: Node[];
  value?: string;
}

/** Links words in code to what they name, except in links and samples. */
function linkCode(hrefOf: (word: string) => string | undefined) {
  const linked = (code: Node): Node => {
    const href = hrefOf(code.children?.[0]?.value ?? '');
    return href ? { type: 'element', tagName: 'a', properties: { href }, children: [code] } : code;
  };
  const visit = (node: Node): Node => {
    if (node.tagName === 'code') return linked(node);
    if (!node.children || node.tagName === 'a' || node.tagName === 'pre') return node;
    return { ...node, children: node.children.map(visit) };
  };
  return () => visit;
}

/** Renders our own Markdown. Its first-level heading becomes the page's. */
export function Markdown({ text, site }: { text: string; site: Site }) {
  const components: Components = {
    h1: ({ children }) => <h1 className="text-4xl/tight font-semibold tracking-[-0.03em]">{children}</h1>,
    h2: ({ children }) => (
      <h2 id={site.anchorOf(textOf(children))} className="mt-12 scroll-mt-24 text-2xl font-semibold tracking-tight">
        <a href={`#${site.anchorOf(textOf(children))}`} className="hover:underline hover:decoration-edge">
          {children}
        </a>
      </h2>
    ),
    h3: ({ children }) => <h3 className="mt-8 text-lg font-semibold tracking-tight">{children}</h3>,
    p: ({ children }) => <p className="mt-4">{children}</p>,
    ul: ({ children }) => <ul className="mt-4 list-disc space-y-2 pl-5 marker:text-muted">{children}</ul>,
    ol: ({ children }) => <ol className="mt-4 list-decimal space-y-2 pl-6 marker:text-muted">{children}</ol>,
    a: ({ href = '', children }) => (
      <Link href={site.hrefOf(href)} className={underlined}>
        {children}
      </Link>
    ),
    // Not italic, because the fonts have no italics.
    em: ({ children }) => <em className="font-medium not-italic">{children}</em>,
    code: ({ children }) => <InlineCode>{children}</InlineCode>,
    pre: ({ children }) => {
      const { className = '', children: code } = (children as ReactElement<{ className?: string; children: string }>)
        .props;
      const language = className.replace('language-', '');
      const source = code.trimEnd();
      const samples = language === 'sh' ? site.samplesOf(source) : null;
      return (
        <div className="mt-4">
          {samples ? (
            <SampleTabs samples={samples} />
          ) : (
            <CodeBlock title={titles[language] ?? language} copy={{ text: source, words: copyWords }}>
              {source}
            </CodeBlock>
          )}
        </div>
      );
    },
    table: ({ children }) => (
      <div
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard
        tabIndex={0}
        className="mt-6 overflow-x-auto rounded-xl border border-line"
      >
        {/* Of two columns, the first is wide enough for a phrase, however long the second is. */}
        <table className="w-full min-w-md border-collapse text-left text-sm [&_th:first-child:nth-last-child(2)]:min-w-36 sm:[&_th:first-child:nth-last-child(2)]:min-w-48">
          {children}
        </table>
      </div>
    ),
    th: ({ children }) => <th className="border-b border-line bg-surface px-4 py-2.5 font-semibold">{children}</th>,
    td: ({ children }) => (
      <td className="border-b border-line px-4 py-2.5 align-top in-[tr:last-child]:border-b-0">{children}</td>
    ),
  };
  return (
    <ReactMarkdown components={components} remarkPlugins={[remarkGfm]} rehypePlugins={[linkCode(site.hrefOfCode)]}>
      {text}
    </ReactMarkdown>
  );
}
