import { z } from 'zod';
import { tableCallKinds, tableCardPages } from '@/db/kinds/lists';
import { menuLanguages } from '../kernel/context';
import { problem } from '../kernel/say';
import {
  day,
  heldMoney,
  instant,
  moneyOrZero,
  pageCursor,
  pageFields,
  pageLimit,
  searchText,
  storeCode,
  tableName,
  text,
  uuid,
  writeFields,
} from '../kernel/schemas';

export const billId = text(64).describe("The POS's bill, check or order number.");
const table = z.string().nullable().describe('The table name or number that diners see.');

const guests = z.int().min(1).max(999);
const quantity = z.int().min(1).max(99);

export const generateQrCodeInput = z.strictObject({
  ...writeFields,
  billId,
  table: tableName.optional(),
  guests: guests.optional(),
  expiresInMinutes: z.int().min(5).max(1440).optional().describe('Minutes until the code expires. Default: 240.'),
});
export type GenerateQrCodeInput = z.infer<typeof generateQrCodeInput>;

export const generateQrCodeOutput = z.object({
  qrCodeId: uuid,
  billId: z.string(),
  table,
  guests: guests.nullable().describe('Number of guests given when the code was created.'),
  status: z.literal('active'),
  url: z.url().describe('Address of the ordering page. The QR code contains this.'),
  imageSvg: z.string().describe('The code as an SVG document.'),
  imagePng: z.string().describe('The code as a PNG data URI.'),
  expiresAt: instant,
  createdAt: instant,
});
export type GenerateQrCodeOutput = z.infer<typeof generateQrCodeOutput>;

export const invalidateQrCodeInput = z
  .strictObject({
    ...writeFields,
    qrCodeId: uuid.optional().describe('Send either this or `billId`, not both.'),
    billId: billId.optional().describe('The bill that the code belongs to. Send either this or `qrCodeId`, not both.'),
  })
  .refine(({ qrCodeId, billId: bill }) => (qrCodeId === undefined) !== (bill === undefined), {
    ...problem('oneBillReference'),
  });
export type InvalidateQrCodeInput = z.infer<typeof invalidateQrCodeInput>;

export const invalidateQrCodeOutput = z.object({
  qrCodeId: uuid,
  billId: z.string(),
  status: z.literal('invalidated'),
  invalidatedAt: instant,
});
export type InvalidateQrCodeOutput = z.infer<typeof invalidateQrCodeOutput>;

export const orderStatus = z.enum(['placed', 'accepted', 'ready', 'served', 'cancelled']);
export type OrderStatus = z.infer<typeof orderStatus>;

export const order = z
  .object({
    orderId: uuid,
    number: z
      .int()
      .min(1)
      .max(999_999_999)
      .describe("Running number of the store's orders. The diner sees the same number."),
    qrCodeId: uuid,
    billId: z.string(),
    table,
    status: orderStatus,
    total: heldMoney().describe('Total in minor units. The service prices the order when it is placed.'),
    note: z.string(),
    guestName: z.string().nullable().describe('The name that the diner who ordered gave; null for none.'),
    lines: z.array(
      z.object({
        plu: z.string(),
        name: z.string(),
        quantity,
        unitPrice: heldMoney(),
        amount: heldMoney(),
        options: z
          .array(z.object({ name: z.string(), price: z.int(), plu: z.string().nullable() }))
          .describe('The chosen options, in menu order. Each `price` is already included in `unitPrice`.'),
        note: z.string(),
      }),
    ),
    placedAt: instant,
    updatedAt: instant,
  })
  .meta({ id: 'Order' });
export type Order = z.infer<typeof order>;

/** A note to the kitchen, which may have several lines. */
const note = (max: number) =>
  z
    .string()
    .max(max)
    .regex(/^(?:[^\p{Cc}\p{Cs}]|[\n\r\t])*$/u, problem('controlCharacters'))
    .default('');

/** The phone, by an id that it drew for this table and keeps secret, and its diner's name. */
const guest = {
  guestId: uuid.nullable().default(null),
  guestName: searchText(40).default(''),
};

/**
 * A diner's order. `unitPrice` is the price shown on the phone: it is compared with the menu's price, never charged.
 */
export const newOrder = z.strictObject({
  clientOrderId: uuid.describe("Chosen by the diner's phone. The same id sent twice creates one order."),
  ...guest,
  note: note(500),
  lines: z
    .array(
      z.strictObject({
        plu: text(64),
        quantity,
        optionIds: z
          .array(uuid)
          .max(100)
          .refine((ids) => new Set(ids).size === ids.length, problem('repeated'))
          .default([]),
        unitPrice: moneyOrZero(),
        note: note(200),
      }),
    )
    .min(1)
    .max(100),
});
export type NewOrder = z.input<typeof newOrder>;

/** An order that a till's own test places in a sandbox. */
export const placeTestOrderInput = z.strictObject({
  storeCode: storeCode.optional(),
  billId: billId.describe('The bill on whose QR code the diner orders. A bill without an open code gets one.'),
  table: tableName.optional().describe('The table of a new code.'),
  lines: z
    .array(
      z.strictObject({
        plu: text(64).describe('An item of the menu.'),
        quantity: quantity.optional().describe('Default: 1.'),
        options: z.array(text(100)).max(100).optional().describe('The chosen options, each by its PLU or its name.'),
        note: text(200).optional(),
      }),
    )
    .min(1)
    .max(100),
  guestName: text(40).optional().describe('The name that the diner gives.'),
  note: text(200).optional(),
});
export type PlaceTestOrderInput = z.infer<typeof placeTestOrderInput>;
export const placeTestOrderOutput = z.object({
  orderId: uuid,
  qrCodeId: uuid,
  total: heldMoney().describe('Total in minor units, at the prices of the menu.'),
  waitsForStaff: z
    .boolean()
    .describe(
      'True if staff must accept it first, as on a bill that guests opened by a table card. Until then, no list has it.',
    ),
});
export type PlaceTestOrderOutput = z.infer<typeof placeTestOrderOutput>;

/** The language in which a phone reads the menu, and the `guestId` of its orders. */
export const tableInput = z.strictObject({
  language: z.enum(menuLanguages).nullable(),
  guestId: uuid.nullable().default(null),
});

const callKind = z.enum(tableCallKinds);
export type TableCallKind = z.infer<typeof callKind>;

export const tableCallInput = z.strictObject({ kind: callKind });
export type TableCallInput = z.infer<typeof tableCallInput>;

export const answerCallInput = z.strictObject({ callId: uuid });
export type AnswerCallInput = z.infer<typeof answerCallInput>;

export const tableCall = z
  .object({
    callId: uuid,
    kind: callKind.describe('`staff`: someone is wanted at the table. `bill`: the guests ask for the bill.'),
    status: z
      .enum(['waiting', 'answered', 'withdrawn'])
      .describe('`answered` by staff, or `withdrawn`: by the guests, or because their bill was settled.'),
    table,
    qrCodeId: uuid.nullable().describe('The code of the open bill; null where the table has none.'),
    billId: z.string().nullable(),
    calledAt: instant,
    endedAt: instant.nullable(),
  })
  .meta({ id: 'TableCall' });
export type TableCall = z.infer<typeof tableCall>;

export const qrCodeInput = z.strictObject({
  qrCodeId: uuid.describe('The id returned when the code was created.'),
  storeCode: storeCode.optional(),
});
export const qrCodeOutput = z
  .object({
    qrCodeId: uuid,
    billId: z.string(),
    table,
    guests: guests.nullable(),
    status: z.enum(['active', 'invalidated', 'expired']),
    expiresAt: instant,
    createdAt: instant,
    invalidatedAt: instant.nullable(),
    orders: z.array(order).describe('Oldest first.'),
  })
  .meta({ id: 'QrCode' });
export type QrCode = z.infer<typeof qrCodeOutput>;

export const listOrdersInput = z.strictObject({
  storeCode: storeCode.optional(),
  status: orderStatus.describe('Only orders with this status.').optional(),
  after: pageCursor(200),
  limit: pageLimit(50),
});
export type ListOrdersInput = z.infer<typeof listOrdersInput>;

export const listOrdersOutput = z.object({
  items: z.array(order).describe('Oldest first.'),
  nextCursor: z.string().nullable().describe('Send it as `after` to get the next page. Null on the last page.'),
});

const orderMove = {
  orderId: uuid.describe('The `orderId` from the list of orders.'),
  status: z.enum(['accepted', 'ready', 'served', 'cancelled']),
};

export const setOrderStatusInput = z.strictObject({ ...writeFields, ...orderMove });
export type SetOrderStatusInput = z.infer<typeof setOrderStatusInput>;

/** A status change by staff, for any store of the merchant. */
export const moveOrderInput = z.strictObject(orderMove);
export type OrderMove = z.infer<typeof moveOrderInput>;

/** Undoes a status change by staff, while the order still has the status `from`. */
export const undoMoveInput = z.strictObject({
  orderId: uuid,
  from: z.enum(['accepted', 'ready', 'served']),
  to: z.enum(['placed', 'accepted', 'ready']),
});
export type UndoMove = z.infer<typeof undoMoveInput>;

/** Without it, all of the merchant's stores. */
const oneStore = { storeId: uuid.optional() };

export const orderBoardInput = z.strictObject(oneStore);
export type OrderBoardInput = z.infer<typeof orderBoardInput>;
/** The ages that a board offers, in minutes. */
export const clearAges = [30, 60, 120] as const;
export const clearOldOrdersInput = z.strictObject({ ...oneStore, minutes: z.literal(clearAges) });
export type ClearOldOrdersInput = z.infer<typeof clearOldOrdersInput>;
export const doneOrdersInput = z.strictObject({ ...oneStore, ...pageFields });
export type DoneOrdersInput = z.infer<typeof doneOrdersInput>;

export const qrCodeListStatus = z.enum(['active', 'invalidated', 'expired', 'all']);
export const qrCodeListInput = z.strictObject({
  storeId: uuid,
  status: qrCodeListStatus.default('active'),
  /** A complete table name or bill number. */
  search: text(64).optional(),
  ...pageFields,
});
export type QrCodeListInput = z.infer<typeof qrCodeListInput>;

export const staffQrCodeInput = z.strictObject({ qrCodeId: uuid });
/** A table's waiting orders to accept or decline: those that staff have seen. */
export const waitingOrdersInput = z.strictObject({ qrCodeId: uuid, orderIds: z.array(uuid).min(1).max(100) });
export type WaitingOrdersInput = z.infer<typeof waitingOrdersInput>;
export const staffQrCodesInput = z.strictObject({ qrCodeIds: z.array(uuid).min(1).max(100) });

export const tableCodeInput = z.strictObject({
  storeId: uuid,
  table: tableName,
  /** The till's bill number, trimmed; one of our own if absent. */
  billId: z
    .string()
    .trim()
    .transform((typed) => typed || null)
    .pipe(billId.nullable())
    .nullable()
    .default(null),
  guests: guests.nullable().default(null),
  openHours: z.int().min(1).max(24),
});
export type TableCodeInput = z.infer<typeof tableCodeInput>;

export const tableCardsInput = z.strictObject({
  storeId: uuid,
  /** Requested codes, however old. */
  qrCodeIds: z.array(uuid).max(100).default([]),
});

/** The days of an export, both inclusive, in the merchant's time zone. */
export const exportOrdersInput = z.strictObject({ ...oneStore, from: day(), until: day() });
export type ExportOrdersInput = z.infer<typeof exportOrdersInput>;

const mostTips = 4;

/** What diners can do on the ordering page. */
export const pageOffers = z.strictObject({
  ordersAgain: z.boolean(),
  showsPopular: z.boolean(),
  filtersDiets: z.boolean(),
  callsStaff: z.boolean(),
  estimatesWait: z.boolean(),
});

/** What diners can do on their bill. */
export const billOffers = z.strictObject({
  redeemsOnBill: z.boolean(),
  /** It also needs a deployment that takes cards. */
  cardOnBill: z.boolean(),
  /** How long diners may take back what they redeemed. 0: never. */
  takeBackMinutes: z.int().min(0).max(60),
  /** Tips to choose from, in percent, smallest first; empty for no tips. */
  tipPercentages: z
    .array(z.int().min(1).max(50))
    .max(mostTips)
    .transform((tips) => [...new Set(tips)].sort((one, other) => one - other)),
});

/** What a table's card opens if no bill is open. */
export const tableCardRules = z.strictObject({ tableCardPage: z.enum(tableCardPages) });

const orderingSettings = z.strictObject({ ...pageOffers.shape, ...billOffers.shape, ...tableCardRules.shape });
export type OrderingSettings = z.infer<typeof orderingSettings>;

export const changeOrderingSettingsInput = orderingSettings.partial();
export type ChangeOrderingSettingsInput = z.infer<typeof changeOrderingSettingsInput>;
