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
  /** What the line really costs. Default: quantity × unitPrice. */
  amount?: number | undefined;
}

export interface ModelBill {
  amount: number;
  lines?: ModelLine[] | undefined;
}

/** A campaign of each unit. Those that can be combined differ in their limits. */
export const modelCampaigns: Record<VoucherUnit, Pick<ModelCampaign, 'value'> & Partial<ModelCampaign>> = {
  BillDollarValue: { value: 500 },
  BillDollarPercentage: { value: 1_250, maxDiscount: 300, minSpend: 900, stackable: true },
  ItemDollarValue: { value: 200, plus: ['N001', 'D001'], maxUnits: 2, stackable: true },
  ItemDollarPercentage: { value: 3_333, plus: ['N002'], maxUnits: 3, stackable: true },
};

/** What a unit takes off a price, the bill's or that of one unit of an item: numerator and denominator. */
const exactOff: Record<VoucherUnit, (price: bigint, value: bigint) => [bigint, bigint]> = {
  BillDollarValue: (_, value) => [value, 1n],
  BillDollarPercentage: (price, value) => [price * value, 10_000n],
  ItemDollarValue: (price, value) => [value > price ? price : value, 1n],
  ItemDollarPercentage: (price, value) => [price * value, 10_000n],
};

interface ExactDiscount {
  numerator: bigint;
  denominator: bigint;
  /** How the lines share it: each line's part of the sum of these. */
  shares: bigint[];
}

/** Returns the discount before any limit but that of the units. */
export function exactDiscount(terms: ModelTerms, { amount, lines = [] }: ModelBill): ExactDiscount {
  const value = BigInt(terms.value);
  if (!isForItems(terms.unit)) {
    const [numerator, denominator] = exactOff[terms.unit](BigInt(amount), value);
    const { prices: units } = unitPrices(lines);
    const prices = lines.map((line, at) => (units[at] as bigint) * thousandths(line.quantity));
    return { numerator, denominator, shares: sum(prices) === 0n ? lines.map(() => 1n) : prices };
  }
  const { prices, whole } = unitPrices(lines);
  const counted = countedUnits(terms, lines, prices);
  const off = prices.map((price) => exactOff[terms.unit](price, isPercentage(terms.unit) ? value : value * whole));
  const shares = off.map(([numerator], at) => numerator * (counted[at] as bigint));
  return { numerator: sum(shares), denominator: 1000n * whole * (off[0]?.[1] ?? 1n), shares };
}

/** Returns what one unit of each line costs, in parts of which `whole` are a minor unit. */
function unitPrices(lines: ModelLine[]): { prices: bigint[]; whole: bigint } {
  const whole = lines.reduce((product, { quantity }) => product * thousandths(quantity), 1n);
  const prices = lines.map(({ amount, quantity, unitPrice }) =>
    amount === undefined ? BigInt(unitPrice) * whole : (BigInt(amount) * 1000n * whole) / thousandths(quantity),
  );
  return { prices, whole };
}

/** Returns how many thousandths of a unit count on each line: what is left after more expensive lines. */
function countedUnits({ plus, maxUnits }: ModelTerms, lines: ModelLine[], prices: bigint[]): bigint[] {
  return lines.map((own, at) => {
    const price = prices[at] as bigint;
    if (!plus.includes(own.plu)) return 0n;
    const before = lines.filter(
      (other, index) =>
        plus.includes(other.plu) && ((prices[index] as bigint) > price || (prices[index] === price && index < at)),
    );
    const left = BigInt(maxUnits * 1000) - sum(before.map((other) => thousandths(other.quantity)));
    if (left <= 0n) return 0n;
    return left < thousandths(own.quantity) ? left : thousandths(own.quantity);
  });
}

/** Returns the discount before any condition is checked, in minor units, rounded half up; zero if there is none. */
export function discountOf(terms: ModelTerms, bill: ModelBill): number {
  const { numerator, denominator } = exactDiscount(terms, bill);
  const rounded = numerator / denominator + ((numerator % denominator) * 2n >= denominator ? 1n : 0n);
  return Math.min(Number(rounded), bill.amount, terms.maxDiscount ?? bill.amount);
}

const thousandths = (quantity: number) => BigInt(quantity.toFixed(3).replace('.', ''));
const sum = (values: bigint[]) => values.reduce((total, value) => total + value, 0n);
