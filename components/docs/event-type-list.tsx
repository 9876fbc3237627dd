import type { EventType } from '@/server/docs/event-types';
import { CodeBlock } from '../ui/code-block';
import { Link } from '../ui/link';
import { FieldList } from './field-list';
import { underlined } from './markdown';
import { copyWords } from './sample-choice';
import { Text } from './text';

/** Each type of event with its fields and an example. Its anchor is the type. */
export function EventTypeList({ eventTypes }: { eventTypes: EventType[] }) {
  return (
    <div className="max-w-6xl">
      <h1 className="text-4xl/tight font-semibold tracking-[-0.03em]">Event types</h1>
      <p className="mt-4 max-w-3xl leading-relaxed">
        An event has the same fields in{' '}
        <Link href="/docs/events" className={underlined}>
          GET /events
        </Link>{' '}
        and as the body of a{' '}
        <Link href="/docs/webhooks" className={underlined}>
          webhook
        </Link>
        . Types and fields may be added: ignore those that you do not know.
      </p>
      {eventTypes.map(({ type, description, fields, example }) => {
        const json = JSON.stringify(example, null, 2);
        return (
          <section key={type} id={type} className="mt-12 scroll-mt-24">
            <h2 className="font-mono text-lg font-semibold wrap-anywhere">
              <a href={`#${type}`} className="hover:underline hover:decoration-edge">
                {type}
              </a>
            </h2>
            <p className="mt-2 text-muted">
              <Text>{description}</Text>
            </p>
            <div className="grid gap-x-12 gap-y-4 xl:grid-cols-[minmax(0,1fr)_28rem]">
              <FieldList fields={fields} />
              <details className="mt-3 xl:self-start">
                <summary className="cursor-pointer text-sm text-muted">Example of {type}</summary>
                <div className="mt-3">
                  <CodeBlock title="Event" copy={{ text: json, words: copyWords }}>
                    {json}
                  </CodeBlock>
                </div>
              </details>
            </div>
          </section>
        );
      })}
    </div>
  );
}
