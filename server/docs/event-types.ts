/** The types of events, as the reference shows them. They are the same in `GET /events` and in webhooks. */
import { document } from './document';
import { type Shape, shapeOf } from './fields';

export interface EventType extends Shape {
  type: string;
  /** Markdown. */
  description: string;
  example: unknown;
}

export const eventTypes: EventType[] = Object.entries(document.webhooks).map(([type, { post }]) => {
  const { schema, example } = post.requestBody?.content['application/json'] ?? { schema: {} };
  return { type, description: post.description ?? '', example, ...shapeOf(schema) };
});
