/** Orders that a till's own tests place in a sandbox, as a phone would. */
import { withMerchant } from '@/db/driver';
import type { PosContext } from '../kernel/context';
import { invalid } from '../kernel/errors';
import { newId } from '../kernel/ids';
import { say } from '../kernel/say';
import { type ItemOnOffer, type OptionOnOffer, readMenu } from './menu-on-offer';
import { placeOrder } from './place-order';
import { generateQrCode } from './qr-codes';
import type { PlaceTestOrderInput, PlaceTestOrderOutput } from './schemas';

type OrderedLine = PlaceTestOrderInput['lines'][number];

/**
 * Places an order on a bill, at the menu's prices, and opens its code if it has none. Errors: `store_forbidden`,
 * `store_not_found`, `qr_code_closed` if its code takes no more, `qr_code_not_found` if it has just expired, `items_unavailable`, and `invalid_request` for an option that its item has not, or a number of
 * options that their group does not allow.
 */
export async function placeTestOrder(ctx: PosContext, input: PlaceTestOrderInput): Promise<PlaceTestOrderOutput> {
  const { billId, table, storeCode, guestName, note } = input;
  const merchantId = ctx.merchant.id;
  const { qrCodeId } = await generateQrCode(ctx, { billId, table, storeCode });
  const plus = input.lines.map(({ plu }) => plu);
  const menu = await withMerchant(ctx.db, merchantId, (tx) =>
    readMenu(tx, { at: { qrCodeId }, language: null, plus, now: ctx.clock.now() }),
  );
  const items = menu.flatMap((category) => category.items);
  const lines = input.lines.map((line, index) => chooseOptions(line, `lines.${index}`, items));
  const order = { clientOrderId: newId(), guestName, note, lines };
  const { orderId, number, total } = await placeOrder(ctx, { merchantId, qrCodeId }, order);
  return { orderId, qrCodeId, total, waitsForStaff: number < 0 };
}

function chooseOptions(
  { plu, quantity = 1, options: names = [], note }: OrderedLine,
  path: string,
  items: ItemOnOffer[],
) {
  const item = items.find((one) => one.plu === plu);
  // It is refused when the order is placed.
  if (!item) return { plu, quantity, unitPrice: 0 };
  const chosen = names.map((name, at) => {
    const option = findOption(item, name);
    if (!option) throw invalid(`${path}.options.${at}`, say('notAnOption', { item: item.name }));
    return option;
  });
  for (const { name, minimum, maximum, options } of item.optionGroups) {
    const count = options.filter((option) => chosen.includes(option)).length;
    if (count < minimum || count > maximum)
      throw invalid(`${path}.options`, say('wrongNumberOfOptions', { name, minimum, maximum }));
  }
  const unitPrice = Math.max(0, item.price + chosen.reduce((sum, { price }) => sum + price, 0));
  return { plu, quantity, note, optionIds: chosen.map(({ id }) => id), unitPrice };
}

/** Finds an option of an item by its PLU, or by its name in any case. */
function findOption({ optionGroups }: ItemOnOffer, wanted: string): OptionOnOffer | undefined {
  const options = optionGroups.flatMap((group) => group.options);
  const byName = ({ name }: OptionOnOffer) => name.toLowerCase() === wanted.toLowerCase();
  return options.find(({ plu }) => plu === wanted) ?? options.find(byName);
}
