const randomByte = () => crypto.getRandomValues(new Uint8Array(1))[0] as number;

/** Returns a UUID version 4, also on a page without https, which has no `crypto.randomUUID`. */
export const randomId = (): string =>
  '10000000-1000-4000-8000-100000000000'.replace(/[018]/g, (digit) =>
    // 0 and 1 become any of sixteen digits; 8 becomes 8, 9, a or b.
    (+digit ^ (randomByte() & (15 >> (+digit / 4)))).toString(16),
  );
