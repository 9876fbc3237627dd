import type { ReactNode } from 'react';
import type { Operation } from '@/server/docs/operations';
import { CodeBlock } from '../ui/code-block';
import { Link } from '../ui/link';
import { FieldList } from './field-list';
import { InlineCode, underlined } from './markdown';
import { MethodBadge } from './method-badge';
import { copyWords } from './sample-choice';
import { SampleTabs, type ShownSample } from './sample-tabs';
import { Text } from './text';

interface OperationPageProps {
  operation: Operation;
  samples: ShownSample[];
  /** The guides that use it. */
  guides: { href: string; title: string }[];
  errorHref(code: string): string;
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="mt-10">
      <h2 className="text-xl font-semibold tracking-tight">{title}</h2>
      {children}
    </section>
  );
}

/** An operation's input and output, with samples beside it. */
export function OperationPage({ operation, samples, guides, errorHref }: OperationPageProps) {
  const { id, method, path, tag, summary, description, parameters, body, response, example, errors } = operation;
  return (
    <article className="grid gap-x-12 gap-y-8 xl:grid-cols-[minmax(0,1fr)_28rem]">
      <div className="min-w-0">
        <p className="text-sm text-muted">{tag}</p>
        <h1 className="mt-1 text-3xl/tight font-semibold tracking-[-0.03em]">{summary}</h1>
        <p className="mt-4 flex flex-wrap items-center gap-3">
          <MethodBadge method={method} />
          <code className="font-mono text-sm wrap-anywhere">{path}</code>
        </p>
        <p className="mt-4 max-w-3xl leading-relaxed">
          <Text>{description}</Text>
        </p>
        <p className="mt-4 flex flex-wrap gap-x-5 gap-y-2 text-sm">
          <a href={`/docs/console#/${encodeURIComponent(tag)}/${id}`} className={underlined}>
            Try it in the console
          </a>
          {guides.map(({ href, title }) => (
            <Link key={href} href={href} className={underlined}>
              Guide: {title}
            </Link>
          ))}
        </p>
      </div>
      <div className="min-w-0 space-y-6 xl:sticky xl:top-26 xl:col-start-2 xl:row-span-2 xl:row-start-1 xl:self-start">
        <div>
          <SampleTabs samples={samples} />
          <p className="mt-2 text-sm text-muted">
            In curl, <code className="font-mono">$origin</code> and <code className="font-mono">$key</code> are yours:{' '}
            <Link href="/docs/first-call#set-up" className={underlined}>
              Set up
            </Link>
          </p>
        </div>
        {example.responses.map(({ title, value }) => (
          <CodeBlock key={title} title={title} copy={{ text: JSON.stringify(value, null, 2), words: copyWords }}>
            {JSON.stringify(value, null, 2)}
          </CodeBlock>
        ))}
      </div>
      <div className="min-w-0">
        {parameters.length > 0 ? (
          <Part title="Parameters">
            <FieldList fields={parameters} isRequest />
          </Part>
        ) : null}
        {body.length > 0 ? (
          <Part title="Body">
            <FieldList fields={body} isRequest />
          </Part>
        ) : null}
        <Part title="Response">
          <FieldList fields={response} />
        </Part>
        <Part title="Errors">
          <ul className="mt-3 divide-y divide-line border-t border-line">
            {errors.map(({ status, codes }) => (
              <li key={status} className="flex gap-x-4 py-2.5">
                <span className="w-10 shrink-0 font-mono text-sm/7 font-medium">{status}</span>
                <span className="flex flex-wrap gap-x-3 gap-y-1 text-sm/7">
                  {codes.map((code) => (
                    <InlineCode key={code} href={errorHref(code)}>
                      {code}
                    </InlineCode>
                  ))}
                </span>
              </li>
            ))}
          </ul>
        </Part>
      </div>
    </article>
  );
}
