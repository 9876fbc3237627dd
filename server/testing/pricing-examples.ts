/** Ten examples of each discount type, calculated by hand; `sum` shows the calculation. */

import type { VoucherTerms } from '@/server/domain/kernel/voucher-pricing';
import type { VoucherUnit } from '@/server/domain/kernel/voucher-units';

/** A line: PLU, quantity, unit price. */
export type Line = [plu: string, quantity: number, unitPrice: number];

export interface Example {
  /** The calculation by hand. */
  sum: string;
  terms: Partial<VoucherTerms>;
  bill: number;
  lines?: Line[];
  amount: number;
  parts?: number[];
}

export const noodles = (quantity: number, unitPrice = 890): Line => ['N1', quantity, unitPrice];
const rice = (quantity: number, unitPrice = 1200): Line => ['R1', quantity, unitPrice];
export const kopi = (quantity: number, unitPrice = 180): Line => ['D1', quantity, unitPrice];
export const N = { plus: ['N1'] };
const NR = { plus: ['N1', 'R1'] };

const billValue: Example[] = [
  { sum: '5.00 off 50.00', terms: { value: 500 }, bill: 5000, amount: 500 },
  { sum: '5.00 off 3.00: no more than the bill', terms: { value: 500 }, bill: 300, amount: 300 },
  { sum: '15.00, but 10.00 at most', terms: { value: 1500, maxDiscount: 1000 }, bill: 5000, amount: 1000 },
  {
    sum: '5.00 over 2 × 15.00 and 20.00: 500 × 3000/5000 = 300, 500 × 2000/5000 = 200',
    terms: { value: 500 },
    bill: 5000,
    lines: [noodles(2, 1500), rice(1, 2000)],
    amount: 500,
    parts: [300, 200],
  },
  {
    sum: '1.00 over three alike: 33⅓ each; 99 given, the 1 left goes to the first',
    terms: { value: 100 },
    bill: 3000,
    lines: [noodles(1, 1000), rice(1, 1000), kopi(1, 1000)],
    amount: 100,
    parts: [34, 33, 33],
  },
  {
    sum: '2.00 over three alike: 66⅔ each; 198 given, the 2 left go to the first two',
    terms: { value: 200 },
    bill: 3000,
    lines: [noodles(1, 1000), rice(1, 1000), kopi(1, 1000)],
    amount: 200,
    parts: [67, 67, 66],
  },
  {
    sum: '1.00 over 1.00 and 2.00: 33⅓ and 66⅔; 33 + 66 = 99, the 1 left to the larger remainder',
    terms: { value: 100 },
    bill: 300,
    lines: [noodles(1, 100), rice(1, 200)],
    amount: 100,
    parts: [33, 67],
  },
  {
    sum: '5.00 over 0.350 × 20.00 = 7.00 and 3.00: 350 and 150',
    terms: { value: 500 },
    bill: 1000,
    lines: [noodles(0.35, 2000), rice(1, 300)],
    amount: 500,
    parts: [350, 150],
  },
  {
    sum: '5.00 over a free item and 10.00: all of it on the second',
    terms: { value: 500, minSpend: 1000 },
    bill: 1000,
    lines: [noodles(1, 0), rice(1, 1000)],
    amount: 500,
    parts: [0, 500],
  },
  {
    sum: '3.00 off a service charge of 4.00 on two free items: half and half',
    terms: { value: 300 },
    bill: 400,
    lines: [noodles(1, 0), rice(3, 0)],
    amount: 300,
    parts: [150, 150],
  },
];

const billPercentage: Example[] = [
  { sum: '10 % of 50.00 = 5.00', terms: { value: 1000 }, bill: 5000, amount: 500 },
  { sum: '10 % of 12.34 = 1.234, down', terms: { value: 1000 }, bill: 1234, amount: 123 },
  { sum: '10 % of 12.35 = 1.235, half up', terms: { value: 1000 }, bill: 1235, amount: 124 },
  { sum: '12.5 % of 9.99 = 1.24875, up', terms: { value: 1250 }, bill: 999, amount: 125 },
  { sum: '50 % of 0.01 = 0.005, half up', terms: { value: 5000 }, bill: 1, amount: 1 },
  { sum: '100 % of 50.00', terms: { value: 10_000 }, bill: 5000, amount: 5000 },
  {
    sum: '15 % of 200.00 = 30.00, 15.00 at most',
    terms: { value: 1500, maxDiscount: 1500 },
    bill: 20_000,
    amount: 1500,
  },
  { sum: '33.33 % of 3.00 = 0.9999, up', terms: { value: 3333 }, bill: 300, amount: 100 },
  {
    sum: '10 % of 1.05 = 10.5, 11 once (3 × 3.5 rounded would be 12); 3⅔ each: 9 given, 2 left',
    terms: { value: 1000 },
    bill: 105,
    lines: [noodles(1, 35), rice(1, 35), kopi(1, 35)],
    amount: 11,
    parts: [4, 4, 3],
  },
  {
    sum: '20 % of 10.00 = 2.00 over 7.50 and 2.50: 150 and 50',
    terms: { value: 2000 },
    bill: 1000,
    lines: [noodles(3, 250), rice(1, 250)],
    amount: 200,
    parts: [150, 50],
  },
];

const itemValue: Example[] = [
  {
    sum: '2.00 off one of two noodles',
    terms: { ...N, value: 200 },
    bill: 1960,
    lines: [noodles(2), kopi(1)],
    amount: 200,
    parts: [200, 0],
  },
  {
    sum: '2.00 off each of two: 2 × 200',
    terms: { ...N, value: 200, maxUnits: 2 },
    bill: 1960,
    lines: [kopi(1), noodles(2)],
    amount: 400,
    parts: [0, 400],
  },
  {
    sum: 'up to five, but there are two: 2 × 200',
    terms: { ...N, value: 200, maxUnits: 5 },
    bill: 1780,
    lines: [noodles(2)],
    amount: 400,
    parts: [400],
  },
  {
    sum: '10.00 off noodles of 8.90: no more than their price',
    terms: { ...N, value: 1000 },
    bill: 1070,
    lines: [noodles(1), kopi(1)],
    amount: 890,
    parts: [890, 0],
  },
  {
    sum: 'one unit, the dearest: rice of 12.00 before noodles of 8.90',
    terms: { ...NR, value: 300 },
    bill: 2090,
    lines: [noodles(1), rice(1)],
    amount: 300,
    parts: [0, 300],
  },
  {
    sum: 'three units: 2 rice, 1 of 2 noodles: 600 + 300',
    terms: { ...NR, value: 300, maxUnits: 3 },
    bill: 4180,
    lines: [noodles(2), rice(2)],
    amount: 900,
    parts: [300, 600],
  },
  {
    sum: 'three units at 10.00: 2 × 1000 off rice, 890 off noodles (their price)',
    terms: { ...NR, value: 1000, maxUnits: 3 },
    bill: 4180,
    lines: [noodles(2), rice(2)],
    amount: 2890,
    parts: [890, 2000],
  },
  {
    sum: '5.00 a kilogram, half a kilogram: 0.5 × 500',
    terms: { ...N, value: 500 },
    bill: 1000,
    lines: [noodles(0.5, 2000)],
    amount: 250,
    parts: [250],
  },
  {
    sum: '5.00 a kilogram, 0.333 kg: 166.5, half up',
    terms: { ...N, value: 500 },
    bill: 666,
    lines: [noodles(0.333, 2000)],
    amount: 167,
    parts: [167],
  },
  {
    sum: 'four units on two lines: 4 × 500 = 20.00, but 10.00 at most: 500 each',
    terms: { ...N, value: 500, maxUnits: 4, maxDiscount: 1000 },
    bill: 3560,
    lines: [noodles(2), noodles(2)],
    amount: 1000,
    parts: [500, 500],
  },
];

const itemPercentage: Example[] = [
  {
    sum: '50 % of 8.90 = 4.45',
    terms: { ...N, value: 5000 },
    bill: 1070,
    lines: [noodles(1), kopi(1)],
    amount: 445,
    parts: [445, 0],
  },
  {
    sum: '50 % off one of two: 4.45',
    terms: { ...N, value: 5000 },
    bill: 1780,
    lines: [noodles(2)],
    amount: 445,
    parts: [445],
  },
  {
    sum: 'two of three free: 2 × 890',
    terms: { ...N, value: 10_000, maxUnits: 2 },
    bill: 2670,
    lines: [noodles(3)],
    amount: 1780,
    parts: [1780],
  },
  {
    sum: '10 % of 8.95 = 0.895, half up',
    terms: { ...N, value: 1000 },
    bill: 895,
    lines: [noodles(1, 895)],
    amount: 90,
    parts: [90],
  },
  {
    sum: '15 % of 3 × 3.10 = 1.395: 140 once (3 × 46.5 rounded would be 141)',
    terms: { ...N, value: 1500, maxUnits: 3 },
    bill: 930,
    lines: [noodles(3, 310)],
    amount: 140,
    parts: [140],
  },
  {
    sum: 'one unit, the dearest: 50 % of rice of 12.00',
    terms: { ...NR, value: 5000 },
    bill: 2090,
    lines: [noodles(1), rice(1)],
    amount: 600,
    parts: [0, 600],
  },
  {
    sum: 'two units: 600 off rice and 445 off noodles',
    terms: { ...NR, value: 5000, maxUnits: 2 },
    bill: 2270,
    lines: [noodles(1), kopi(1), rice(1)],
    amount: 1045,
    parts: [445, 0, 600],
  },
  {
    sum: '1045, but 800 at most: 800 × 445/1045 = 340.67, 800 × 600/1045 = 459.33',
    terms: { ...NR, value: 5000, maxUnits: 2, maxDiscount: 800 },
    bill: 2090,
    lines: [noodles(1), rice(1)],
    amount: 800,
    parts: [341, 459],
  },
  {
    sum: '10 % of one kilogram of 1.5 kg at 20.00: 200',
    terms: { ...N, value: 1000 },
    bill: 3000,
    lines: [noodles(1.5, 2000)],
    amount: 200,
    parts: [200],
  },
  {
    sum: '33.33 % of 1.00 = 0.3333, down',
    terms: { ...N, value: 3333 },
    bill: 100,
    lines: [noodles(1, 100)],
    amount: 33,
    parts: [33],
  },
];

export const pricingExamples: Record<VoucherUnit, Example[]> = {
  BillDollarValue: billValue,
  BillDollarPercentage: billPercentage,
  ItemDollarValue: itemValue,
  ItemDollarPercentage: itemPercentage,
};
