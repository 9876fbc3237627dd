import ReactMarkdown from 'react-markdown';
import { InlineCode } from './markdown';

/** A sentence or two of Markdown, inline. */
export function Text({
  children,
  hrefOfCode,
}: {
  children: string;
  hrefOfCode?: (word: string) => string | undefined;
}) {
  return (
    <ReactMarkdown
      allowedElements={['code', 'strong', 'em']}
      unwrapDisallowed
      components={{ code: ({ children: word }) => <InlineCode href={hrefOfCode?.(String(word))}>{word}</InlineCode> }}
    >
      {children}
    </ReactMarkdown>
  );
}
