import type { EventType } from '@/server/docs/event-types';
import type { Field } from '@/server/docs/fields';
import { CodeBlock } from '../ui/code-block';
import { Link } from '../ui/link';
import { FieldList } from './field-list';
import { underlined } from './markdown';
import { copyWords } from './sample-choice';
import { Text } from './text';

interface EventTypeListProps {
  eventTypes: EventType[];
  commonFields: Field[];
}

/**
 * The fields that all events share, and each type with the fields of its data and an example. Its anchor is the type.
 */
export function EventTypeList({ eventTypes, commonFields }: EventTypeListProps) {
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
      <p className="mt-4">
        Every event has a <code className="font-mono text-sm">type</code>, its{' '}
        <code className="font-mono text-sm">data</code>, and these fields:
      </p>
      <div className="max-w-3xl">
        <FieldList fields={commonFields} />
      </div>
      {eventTypes.map(({ type, description, dataFields, dataNote, example }) => {
        const json = JSON.stringify(example, null, 2);
        return (
          <section key={type} id={type} className="mt-12 scroll-mt-24">
            <h2 className="font-mono text-lg font-semibold wrap-anywhere">
              <a href={`#${type}`} className="hover:underline hover:decoration-edge">
                {type}
              </a>
            </h2>
            <p className="mt-2">
              <Text>{description}</Text>
            </p>
            <div className="grid gap-x-12 gap-y-4 xl:grid-cols-[minmax(0,1fr)_28rem]">
              <div className="min-w-0">
                <p className="mt-3 text-sm text-muted">
                  Fields of <code className="font-mono">data</code>
                  {dataNote ? `. ${dataNote}` : null}
                </p>
                <FieldList fields={dataFields} />
              </div>
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
