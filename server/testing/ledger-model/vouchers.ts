/** The model's vouchers. Their discount is computed one quarter of a unit at a time. */
export interface ModelCampaign {
  campaignId: string;
  unit: 'BillDollarValue' | 'BillDollarPercentage' | 'ItemDollarValue' | 'ItemDollarPercentage';
  /** Minor units, or hundredths of a percent. */
  value: number;
  plus: string[];
  minSpend: number;
  maxDiscount: number | null;
  maxUnits: number;
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

export interface ModelBill {
  amount: number;
  lines?: { plu: string; quantity: number; unitPrice: number }[] | undefined;
}

/** Returns the discount before any condition is checked; zero if there is none. */
export function discountOf({ unit, value, plus, maxDiscount, maxUnits }: ModelCampaign, bill: ModelBill): number {
  const quarters = (bill.lines ?? [])
    .filter((line) => plus.includes(line.plu))
    .flatMap(({ quantity, unitPrice }) => Array.from({ length: quantity * 4 }, () => unitPrice))
    .sort((a, b) => b - a)
    .slice(0, maxUnits * 4);
  const total = {
    BillDollarValue: () => value,
    BillDollarPercentage: () => halfUp(bill.amount * value, 10_000),
    ItemDollarValue: () => halfUp(sum(quarters.map((price) => Math.min(price, value))), 4),
    ItemDollarPercentage: () => halfUp(sum(quarters.map((price) => price * value)), 40_000),
  }[unit]();
  return Math.min(total, bill.amount, maxDiscount ?? bill.amount);
}

const halfUp = (numerator: number, denominator: number) =>
  Math.floor((2 * numerator + denominator) / (2 * denominator));
const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
