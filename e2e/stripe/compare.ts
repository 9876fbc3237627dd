/** Compares the fields of two objects, not their values. */

const typeOf = (value: unknown) => (value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value);

/**
 * Returns each field of the fake's object that Stripe's lacks, or that has another type there. Null fits everything. Stripe may
 * have more.
 */
export function differences(fake: object, real: object): string[] {
  const theirs = real as Record<string, unknown>;
  return Object.entries(fake).flatMap(([name, value]) => {
    if (value === undefined) return [];
    if (!(name in theirs)) return [`${name} is not in Stripe's`];
    const [here, there] = [typeOf(value), typeOf(theirs[name])];
    // What was expanded in one of them is an id in the other.
    const isExpanded = [here, there].includes('object') && [here, there].includes('string');
    if (here === there || here === 'null' || there === 'null' || isExpanded) return [];
    return [`${name} is ${here}, and ${there} in Stripe's`];
  });
}
