/** The model's vouchers, and their exact discounts: fractions that share no code with the service's prices. */
import { isForItems, isPercentage, type VoucherUnit } from '@/server/domain/kernel/voucher-units';

export interface ModelTerms {
  unit: VoucherUnit;
  /** Minor units, or hundredths of a percent. */
  value: number;
  plus: string[];
  minSpend: number;
  maxDiscount: number | null;
  maxUnits: number;
}

export interface ModelCampaign extends ModelTerms {
  campaignId: string;
  stackable: boolean;
}

export interface ModelVoucher {
  /** The stored form: ten characters. */
  code: string;
  customerId: string;
  campaign: ModelCampaign;
  expiresAt: Date | null;
  redeemedBy: string | null;
  /** True if it was ever redeemed, voided or not. */
  wasRedeemed: boolean;
}

interface ModelLine {
  plu: string;
  quantity: number;
  unitPrice: number;
  /** What the line really costs; by default quantity × unitPrice. */
  amount?: number | undefined;
}

export interface ModelBill {
  amount: number;
  lines?: ModelLine[] | undefined;
}

/** A campaign for each unit. The stackable ones differ in their limits. */
export const modelCampaigns: Record<VoucherUnit, Pick<ModelCampaign, 'value'> & Partial<ModelCampaign>> = {
  BillDollarValue: { value: 500 },
  BillDollarPercentage: { value: 1_250, maxDiscount: 300, minSpend: 900, stackable: true },
  ItemDollarValue: { value: 200, plus: ['N001', 'D001'], maxUnits: 2, stackable: true },
  ItemDollarPercentage: { value: 3_333, plus: ['N002'], maxUnits: 3, stackable: true },
};

interface ExactDiscount {
  numerator: bigint;
  denominator: bigint;
  /** Each line's share of the discount, relative to the sum of these. */
  shares: bigint[];
}

/** Returns the discount before any limit except the number of units. `earlier` are the vouchers redeemed before, in order. */
export function exactDiscount(terms: ModelTerms, bill: ModelBill, earlier: ModelTerms[] = []): ExactDiscount {
  const { amount, lines = [] } = bill;
  if (!isForItems(terms.unit)) {
    const { prices: units } = unitPrices(lines);
    const prices = lines.map((line, at) => (units[at] as bigint) * thousandths(line.quantity));
    const shares = sum(prices) === 0n ? lines.map(() => 1n) : prices;
    const [whole, percentage] = [10_000n, BigInt(amount) * BigInt(terms.value)];
    const numerator = isPercentage(terms.unit) ? percentage : BigInt(terms.value) * whole;
    return { numerator, denominator: whole, shares };
  }
  const { prices, whole } = unitPrices(lines);
  // Each percentage divides what the ones before it left by 10,000.
  const parts = 10_000n ** BigInt(earlier.length + 1);
  let piles: Pile[] = lines.map(({ plu, quantity }, at) => {
    return { at, plu, price: (prices[at] as bigint) * parts, count: thousandths(quantity) };
  });
  for (const one of earlier) if (isForItems(one.unit)) piles = takeUnits(one, piles, whole * parts).left;
  const { taken } = takeUnits(terms, piles, whole * parts);
  const shares = lines.map((_, at) => sum(taken.map((pile) => (pile.at === at ? pile.off * pile.count : 0n))));
  return { numerator: sum(shares), denominator: 1000n * whole * parts, shares };
}

/** Thousandths of a unit of a line that cost the same. */
interface Pile {
  at: number;
  plu: string;
  price: bigint;
  count: bigint;
}

/** Takes a voucher off the most expensive units. `whole` is a minor unit in the fractions of the prices. */
function takeUnits({ unit, value, plus, maxUnits }: ModelTerms, piles: Pile[], whole: bigint) {
  let units = BigInt(maxUnits * 1000);
  const taken: (Pile & { off: bigint })[] = [];
  const untouched: Pile[] = [];
  for (const pile of [...piles].sort((a, b) => (a.price === b.price ? a.at - b.at : b.price > a.price ? 1 : -1))) {
    const count = plus.includes(pile.plu) ? least(pile.count, units) : 0n;
    units -= count;
    const off = isPercentage(unit) ? (pile.price * BigInt(value)) / 10_000n : least(BigInt(value) * whole, pile.price);
    taken.push({ ...pile, count, off });
    untouched.push({ ...pile, count: pile.count - count });
  }
  const lowered = taken.map(({ off, ...pile }) => ({ ...pile, price: pile.price - off }));
  return { taken, left: [...lowered, ...untouched].filter(({ count }) => count > 0n) };
}

const least = (a: bigint, b: bigint) => (a < b ? a : b);

/** Returns what one unit of each line costs, in fractions. `whole` of them are a minor unit. */
function unitPrices(lines: ModelLine[]): { prices: bigint[]; whole: bigint } {
  const whole = lines.reduce((product, { quantity }) => product * thousandths(quantity), 1n);
  const prices = lines.map(({ amount, quantity, unitPrice }) =>
    amount === undefined ? BigInt(unitPrice) * whole : (BigInt(amount) * 1000n * whole) / thousandths(quantity),
  );
  return { prices, whole };
}

/** Returns the discount before any condition is checked, in minor units, rounded half up; zero if there is none. */
export function discountOf(terms: ModelTerms, bill: ModelBill, earlier: ModelTerms[] = []): number {
  const { numerator, denominator } = exactDiscount(terms, bill, earlier);
  const rounded = numerator / denominator + ((numerator % denominator) * 2n >= denominator ? 1n : 0n);
  return Math.min(Number(rounded), bill.amount, terms.maxDiscount ?? bill.amount);
}

const thousandths = (quantity: number) => BigInt(quantity.toFixed(3).replace('.', ''));
const sum = (values: bigint[]) => values.reduce((total, value) => total + value, 0n);
