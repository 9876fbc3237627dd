import type { Field } from '@/server/docs/operations';
import { Text } from './text';

/** The fields of a request or a response, those of objects below them. */
export function FieldList({ fields, isRequest = false }: { fields: Field[]; isRequest?: boolean }) {
  return (
    <ul className="mt-3 divide-y divide-line border-t border-line text-[0.9375rem]">
      {fields.map(({ name, type, isRequired, description, values, fields: inner }) => (
        <li key={name} className="py-3">
          <p className="flex flex-wrap items-baseline gap-x-3">
            <code className="font-mono text-sm font-medium wrap-anywhere">{name}</code>
            <span className="text-sm text-muted">
              <Text>{type}</Text>
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
          {inner.length > 0 ? (
            <details className="mt-2 rounded-lg border border-line bg-surface">
              <summary className="cursor-pointer px-3 py-2 text-sm text-muted">
                Fields of <code className="font-mono">{name}</code>
              </summary>
              <div className="px-3 pb-1">
                <FieldList fields={inner} isRequest={isRequest} />
              </div>
            </details>
          ) : null}
        </li>
      ))}
    </ul>
  );
}
