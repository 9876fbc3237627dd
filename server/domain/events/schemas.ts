import { z } from 'zod';
import { balanceCauses, type EventType, eventTypes, hasProfile } from '@/db/kinds/lists';
import { bill } from '../bills/schemas';
import { dispute } from '../disputes/schemas';
import { customer, customerId } from '../identity/schemas';
import {
  counterCode,
  currencyCode,
  instant,
  money,
  moneyOrZero,
  pageLimit,
  storeCode,
  transactionId,
} from '../kernel/schemas';
import { pointsBalance } from '../points/schemas';
import { order, qrCodeOutput, tableCall } from '../qr-ordering/schemas';
import { stockOutChange } from '../stock-outs/schemas';
import { storedValueBalance } from '../stored-value/schemas';
import { transactionLookupOutput } from '../transactions/schemas';

const balanceChange = z
  .object({
    customerId,
    currency: currencyCode,
    storedValue: storedValueBalance.describe('The balance after the change.'),
    points: pointsBalance.describe('The points after the change.'),
    cause: z
      .enum(balanceCauses)
      .describe(
        'What changed it: an `adjustment` by staff, a `refund` of a part of a redemption, a `void` of transactions, the ' +
          '`expiry` of value, the `merge` of a duplicate customer, an `import` of customers, or a `dispute` of a card top-up.',
      ),
  })
  .meta({ id: 'BalanceChange' });

const mergedCustomer = z
  .object({
    customerId: customerId.describe('The duplicate. Look-ups by its id, phone and e-mail now find the kept customer.'),
    mergedInto: customerId.describe('The customer that was kept.'),
  })
  .meta({ id: 'MergedCustomer' });

const erasedCustomer = z
  .object({ customerId: customerId.describe('Delete what you hold about this customer.'), erasedAt: instant })
  .meta({ id: 'ErasedCustomer' });

const qrCodeState = qrCodeOutput.omit({ orders: true }).meta({ id: 'QrCodeState' });

const counterTopUp = z
  .object({
    counterCode,
    customerId,
    packageId: z.uuid(),
    amount: money().describe('Amount the customer paid.'),
    bonus: moneyOrZero().describe('The bonus credited in addition.'),
    credited: money().describe('The sum of `amount` and `bonus`.'),
    currency: currencyCode,
    transactionId,
  })
  .meta({ id: 'CreditedCounterCode' });

const recording = z
  .object({
    types: z
      .array(z.string())
      .nullable()
      .describe(
        'The types that are recorded from here on; null for all. Of others, there are no events until the next change.',
      ),
  })
  .meta({ id: 'Recording' });

/** For each type, the data and when the event is written. */
const kinds = {
  'order.placed': [order, 'A diner placed an order.'],
  'order.updated': [order, 'A POS or staff updated the status of an order.'],
  'transaction.completed': [
    transactionLookupOutput,
    'A top-up, redemption or sale was completed: by a POS, by staff, or a top-up paid online, which has no store.',
  ],
  'transaction.voided': [
    transactionLookupOutput,
    'A completed transaction was voided, by a POS or by staff. Its `answer` is still the one of then; `effect` says what came back ' +
      'and what expired. `balance.changed` follows with the balance after the void, unless it is the same.',
  ],
  'customer.enrolled': [customer, 'A customer was enrolled: by a POS, by staff, by an import, or by signing up.'],
  'customer.updated': [customer, 'Name, phone, e-mail address, birthday or tags of a customer were changed.'],
  'customer.merged': [mergedCustomer, 'Staff merged a duplicate into another customer.'],
  'customer.unmerged': [
    mergedCustomer,
    'An owner undid a merge: `customerId` is a customer again, with what the merge had moved to `mergedInto`.',
  ],
  'customer.erased': [
    erasedCustomer,
    'The personal data of a customer were erased, also in earlier events: their `data` is null now.',
  ],
  'balance.changed': [
    balanceChange,
    'A balance was changed by something other than a completed transaction, such as a void.',
  ],
  'stock_out.changed': [stockOutChange, 'Items were sold out, got another time, or are available again.'],
  'qr_code.opened': [qrCodeState, 'A QR code was created.'],
  'qr_code.settled': [qrCodeState, 'A QR code was invalidated, because its bill was settled.'],
  'counter_code.topped_up': [counterTopUp, 'A top-up that a customer began on the phone was paid at the counter.'],
  'bill.updated': [bill, 'A POS sent a bill or changed it, or something was redeemed, paid or given back on it.'],
  'bill.paid': [bill, 'Nothing is due on a bill any more. The POS can close it.'],
  'bill.closed': [bill, 'A POS closed a bill, by itself or with its sale.'],
  'bill.voided': [bill, 'A POS voided a bill.'],
  'table.called': [tableCall, 'The guests of a table call staff, or ask for the bill.'],
  'table.call_answered': [
    tableCall,
    'A call waits no longer: staff answered it, the guests withdrew it, or their bill was settled. `status` says which.',
  ],
  'dispute.opened': [
    dispute,
    'A payer disputes a card payment at their bank: a top-up, which has no store, or a payment on a bill. It also comes if a ' +
      'decided dispute is open again. `balance.changed` says what was taken from the balance.',
  ],
  'dispute.closed': [
    dispute,
    'The bank has decided a dispute. If it was won, what was taken from the balance is back.',
  ],
  'recording.changed': [
    recording,
    'An owner changed which types of events are recorded, or the service disabled a webhook endpoint. It is recorded in any ' +
      'case: of what was not recorded before, you missed the changes, so read the current state.',
  ],
} satisfies Record<EventType, [z.ZodType, string]>;

const nameOf = (type: EventType) =>
  `${type.replaceAll(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase())}Event`;

const eventId = z
  .uuid()
  .describe(
    'The same each time the event is sent, so a repeat is recognised by it. It is also the `webhook-id` of a webhook.',
  );
const occurredAt = instant.describe("When it happened, by the merchant's clock (RFC 3339, UTC).");
const storeOrNone = z.string().nullable().describe('Null for what is of no store, such as a customer.');

/** For the API reference: a named schema for each type. */
export const documentedEvents = eventTypes.map((type) => {
  const [data, description] = kinds[type];
  const schema = z
    .object({
      id: eventId,
      type: z.literal(type),
      occurredAt,
      storeCode: storeOrNone,
      data: hasProfile(type) ? data.nullable().describe('Null once the customer was erased.') : data,
    })
    .meta({ id: nameOf(type), description });
  return { type, name: nameOf(type), description, schema };
});

/**
 * `data` is not checked, so that events from an earlier release stay readable. The API reference has each type's
 * schema.
 */
const event = z
  .object({
    id: eventId,
    type: z.enum(eventTypes),
    occurredAt,
    storeCode: storeOrNone,
    data: z.record(z.string(), z.unknown()).nullable(),
  })
  .meta({
    id: 'Event',
    override: ({ jsonSchema }) => {
      for (const key of Object.keys(jsonSchema)) delete jsonSchema[key as keyof typeof jsonSchema];
      jsonSchema.oneOf = documentedEvents.map(({ name }) => ({ $ref: `#/components/schemas/${name}` }));
    },
  });
export type Event = z.infer<typeof event>;

const wantedTypes = z
  .string()
  .max(500)
  .transform((list) => list.split(','))
  .pipe(z.array(z.enum(eventTypes)))
  .meta({
    description: 'Only these types, separated by commas, such as `order.placed,order.updated`. Default: all.',
    override: ({ jsonSchema }) => {
      jsonSchema.type = 'string';
    },
  });

export const listEventsInput = z.strictObject({
  after: z
    .uuid()
    .describe('The `nextAfter` of the response before. Without it, the list begins with the oldest event.')
    .optional(),
  types: wantedTypes.optional(),
  storeCode: storeCode
    .describe('Only events of this store. A key bound to a store implies it. A merchant-wide key gets all without it.')
    .optional(),
  limit: pageLimit(100),
});
export type ListEventsInput = z.infer<typeof listEventsInput>;

export const listEventsOutput = z.object({
  items: z.array(event).describe('In the order in which to apply them.'),
  nextAfter: z
    .uuid()
    .nullable()
    .describe(
      'Keep it, and send it as `after` next time, also if there are no items. Null while there was no event yet.',
    ),
  hasMore: z.boolean().describe('Whether to go on at once: there may be more events now.'),
});
export type EventList = z.infer<typeof listEventsOutput>;
