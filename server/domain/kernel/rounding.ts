import { minorDigits } from './money';

/** Whole units to which bills are rounded where coins below them are not in use. One unit elsewhere. */
const roundingUnits = new Map(
  (
    [
      [10, 'CLP CRC HUF ISK JPY RSD'],
      [100, 'ALL AMD BIF COP DJF GNF KMF KRW MGA MNT PYG RWF TZS UGX XAF XOF XPF YER'],
      [1_000, 'IDR LAK MMK SOS SYP UZS VND'],
      [10_000, 'IRR LBP'],
    ] as const
  ).flatMap(([units, currencies]) => currencies.split(' ').map((one) => [one, units] as const)),
);

/** What the cash rounding of a bill is less than, in minor units. */
export const roundingUnit = (currency: string): number =>
  (roundingUnits.get(currency) ?? 1) * 10 ** minorDigits(currency);
