/** Webhooks in the OpenAPI document, signed by the Standard Webhooks specification. */
import { documentedEvents } from '@/server/domain/events';
import { exampleOfEvent } from '@/server/trpc/pos/event-examples';

/** Describes what is sent to a merchant's endpoints, by event type, for `webhooks` in the OpenAPI document. */
export const describeWebhooks = () =>
  Object.fromEntries(
    documentedEvents.map(({ type, name, description }) => {
      const content = {
        'application/json': { schema: { $ref: `#/components/schemas/${name}` }, example: exampleOfEvent(type) },
      };
      const operation = {
        operationId: `on${name.replace(/Event$/, '')}`,
        tags: ['Events'],
        summary: type,
        security: [],
        description,
        parameters: signatureHeaders,
        requestBody: { required: true, content },
        responses: {
          '2XX': { description: 'The event was received. Any other response is tried again for three days.' },
        },
      };
      return [type, { post: operation }];
    }),
  );

const signatureHeaders = [
  ['webhook-id', "The event's `id`: the same whenever it is sent again.", '01981f2e-9e00-7c55-9f13-2b8d6a4e0c71'],
  ['webhook-timestamp', 'When this attempt was sent, in seconds since 1970.', '1795347727'],
  [
    'webhook-signature',
    'Signatures of `id.timestamp.body`, separated by spaces.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ],
].map(([name, text, example]) => ({
  name,
  in: 'header',
  required: true,
  description: text,
  schema: { type: 'string' },
  example,
}));
