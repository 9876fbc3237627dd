/** The event types, as the API reference shows them. They are the same in `GET /events` and in webhooks. */
import { document } from './document';
import { type Field, shapeOf } from './fields';

export interface EventType {
  type: string;
  /** Markdown. */
  description: string;
  /** The fields of its `data`. */
  dataFields: Field[];
  /** Markdown that says when `data` is null; empty if it never is. */
  dataNote: string;
  example: unknown;
}

const described = Object.entries(document.webhooks).map(([type, { post }]) => {
  const { schema, example } = post.requestBody?.content['application/json'] ?? { schema: {} };
  return { type, description: post.description ?? '', example, fields: shapeOf(schema).fields };
});

const isOwn = ({ name }: Field) => name === 'type' || name === 'data';

/** The fields that all events share. */
export const commonEventFields: Field[] = (described[0]?.fields ?? []).filter((field) => !isOwn(field));

export const eventTypes: EventType[] = described.map(({ fields, ...rest }) => {
  const data = fields.find(({ name }) => name === 'data');
  return { ...rest, dataFields: data?.fields ?? [], dataNote: data?.description ?? '' };
});
