import type { ReactNode } from 'react';
import type { Field, Shape } from '@/server/docs/fields';
import { Text } from './text';

/** A part that opens to show inner fields, even without scripts. */
function Folded({ summary, children }: { summary: ReactNode; children: ReactNode }) {
  return (
    <details className="mt-2 rounded-lg border border-line bg-surface">
      <summary className="cursor-pointer px-3 py-2 text-sm text-muted">{summary}</summary>
      <div className="px-3 pb-1">{children}</div>
    </details>
  );
}

function Inner({ name, fields, forms, isRequest }: Shape & { name: string; isRequest: boolean }) {
  if (forms.length > 0)
    return (
      <div className="mt-2">
        <p className="text-sm text-muted">One of:</p>
        {forms.map((form) => (
          <Folded key={form.name} summary={<code className="font-mono">{form.name}</code>}>
            <p className="text-muted">
              <Text>{form.description}</Text>
            </p>
            <FieldList fields={form.fields} isRequest={isRequest} />
          </Folded>
        ))}
      </div>
    );
  if (fields.length === 0) return null;
  const summary = (
    <>
      Fields of <code className="font-mono">{name}</code>
    </>
  );
  return (
    <Folded summary={summary}>
      <FieldList fields={fields} isRequest={isRequest} />
    </Folded>
  );
}

/** The fields of a request or response, with those of inner objects below them. */
export function FieldList({ fields, isRequest = false }: { fields: Field[]; isRequest?: boolean }) {
  return (
    <ul className="mt-3 divide-y divide-line border-t border-line text-[0.9375rem]">
      {fields.map(({ name, type, isRequired, description, values, range, fields: inner, forms }) => (
        <li key={name} className="py-3">
          <p className="flex flex-wrap items-baseline gap-x-3">
            <code className="font-mono text-sm font-medium wrap-anywhere">{name}</code>
            <span className="text-sm text-muted">
              <Text>{isRequest && range ? `${type}, ${range}` : type}</Text>
            </span>
            {isRequest && isRequired ? <span className="text-sm text-caution">required</span> : null}
          </p>
          {description ? (
            <p className="mt-1 leading-relaxed text-muted">
              <Text>{description}</Text>
            </p>
          ) : null}
          {values.length > 0 ? (
            <p className="mt-1 text-muted">
              <Text>{`One of ${values.map((value) => `\`${value}\``).join(', ')}.`}</Text>
            </p>
          ) : null}
          <Inner name={name} fields={inner} forms={forms} isRequest={isRequest} />
        </li>
      ))}
    </ul>
  );
}
