import { z } from 'zod';
import { eventTypes } from '@/db/kinds/lists';
import { problem } from '../kernel/say';
import { day, pageFields, searchText, uuid } from '../kernel/schemas';

export { eventTypes } from '@/db/kinds/lists';

/** The most endpoints that a merchant can have. */
export const maxEndpoints = 10;

const endpointFields = {
  /** Only https, and no address of a private network; see `checkUrl`. */
  url: z
    .string()
    .trim()
    .max(2_000)
    .pipe(z.url({ protocol: /^https?$/, ...problem('notAnHttpsUrl') })),
  description: searchText(100),
  /** Null for all types, including those of later releases. */
  eventTypes: z.array(z.enum(eventTypes)).min(1).max(eventTypes.length).nullable(),
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
