/** Splits `amount` in proportion to `weights`, by largest remainder: the parts add up to it. */
export function shareByWeight(amount: number, weights: bigint[]): number[] {
  const whole = weights.reduce((sum, weight) => sum + weight, 0n);
  if (whole === 0n) return weights.map(() => 0);
  const exact = weights.map((weight) => BigInt(amount) * weight);
  const parts = exact.map((value) => Number(value / whole));
  const missing = amount - parts.reduce((sum, part) => sum + part, 0);
  const byRemainder = exact
    .map((value, index) => ({ index, remainder: value % whole }))
    .sort((a, b) => (a.remainder === b.remainder ? a.index - b.index : a.remainder < b.remainder ? 1 : -1));
  for (const { index } of byRemainder.slice(0, missing)) parts[index] = (parts[index] as number) + 1;
  return parts;
}
