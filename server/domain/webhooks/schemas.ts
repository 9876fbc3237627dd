import { z } from 'zod';
import { endpointStates, eventTypes } from '@/db/kinds/lists';
import { problem } from '../kernel/say';
import { day, instant, pageFields, searchText, uuid } from '../kernel/schemas';

export { eventTypes } from '@/db/kinds/lists';

/** The most endpoints that a merchant can have. */
export const maxEndpoints = 10;

const endpointFields = {
  /** Only https, and no address of a private network; see `checkUrl`. */
  url: searchText(2_000)
    .pipe(z.url({ protocol: /^https?$/, ...problem('notAnHttpsUrl') }))
    .describe('Begins with `https://` and is on the internet. Redirects are not followed.'),
  description: searchText(100).describe('Your name for the endpoint.'),
  eventTypes: z
    .array(z.enum(eventTypes))
    .min(1)
    .max(eventTypes.length)
    .nullable()
    .describe('The types that are sent; null for all, including those of later releases.'),
};

export const endpointInput = z.strictObject({ endpointId: uuid });
export const createEndpointInput = z.strictObject(endpointFields);
export type CreateEndpointInput = z.infer<typeof createEndpointInput>;
export const changeEndpointInput = z.strictObject({ endpointId: uuid, ...endpointFields });
export type ChangeEndpointInput = z.infer<typeof changeEndpointInput>;

export const deliveryStates = ['pending', 'delivered', 'failed'] as const;

export const listDeliveriesInput = z.strictObject({
  endpointId: uuid,
  state: z.enum(deliveryStates).optional(),
  ...pageFields,
});
export type ListDeliveriesInput = z.infer<typeof listDeliveriesInput>;
export const deliveryInput = z.strictObject({ endpointId: uuid, eventId: uuid });
export type DeliveryInput = z.infer<typeof deliveryInput>;

/** Events of some days, both inclusive. */
export const resendSpanInput = z.strictObject({
  endpointId: uuid,
  from: day(),
  until: day(),
  /** True for failed deliveries only; false includes delivered ones. */
  onlyFailed: z.boolean(),
});
export type ResendSpanInput = z.infer<typeof resendSpanInput>;

const endpointId = uuid.describe('Id of the webhook endpoint.');
const secret = z
  .string()
  .describe('The secret that requests are signed with (`whsec_…`). This is the only response that has it.');
const previousSecretUntil = instant.describe('Until when requests are also signed with the previous secret.');

const endpoint = z
  .object({
    endpointId,
    url: z.string(),
    description: z.string(),
    eventTypes: z.array(z.enum(eventTypes)).nullable().describe('Null for all types.'),
    state: z
      .enum(endpointStates)
      .describe('What is `paused` gets its events once it is enabled again. What is `disabled` misses them.'),
    disabledReason: z
      .enum(['failing', 'gone'])
      .nullable()
      .describe('Why the service disabled it: it failed for five days, or answered 410.'),
    disabledAt: instant.nullable(),
    failingSince: instant.nullable().describe('Since when it has accepted nothing; null if the last event arrived.'),
    previousSecretUntil: previousSecretUntil.nullable(),
    createdAt: instant,
  })
  .meta({ id: 'WebhookEndpoint' });
export type EndpointOutput = z.infer<typeof endpoint>;

export const listEndpointsByKeyInput = z.strictObject({});
export const listEndpointsByKeyOutput = z.object({ items: z.array(endpoint).describe('All, oldest first.') });
export const endpointByKeyInput = z.strictObject({ endpointId });
export const endpointByKeyOutput = endpoint;
export const createEndpointByKeyInput = z.strictObject({
  url: endpointFields.url,
  description: endpointFields.description.optional(),
  eventTypes: endpointFields.eventTypes.optional(),
});
export type CreateEndpointByKeyInput = z.infer<typeof createEndpointByKeyInput>;
export const createEndpointByKeyOutput = z.object({ ...endpoint.shape, secret });
export const changeEndpointByKeyInput = z.strictObject({
  endpointId,
  url: endpointFields.url.optional(),
  description: endpointFields.description.optional(),
  eventTypes: endpointFields.eventTypes.optional(),
  state: z.enum(['enabled', 'paused']).optional(),
});
export type ChangeEndpointByKeyInput = z.infer<typeof changeEndpointByKeyInput>;
export const rotateSecretByKeyOutput = z.object({ endpointId, secret, previousSecretUntil });
export const testEndpointByKeyOutput = z.object({
  endpointId,
  eventId: z.uuid().describe('The `id` of the event that is sent.'),
});
export const removeEndpointByKeyOutput = z.object({ endpointId });
