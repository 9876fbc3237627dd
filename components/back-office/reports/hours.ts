/** Returns the 24 hours (`00` to `23`) in the order of a business day. */
export const hoursOfDay = (startsAt: number): string[] =>
  Array.from({ length: 24 }, (_, at) => `${(startsAt + at) % 24}`.padStart(2, '0'));

/** Returns the hours of the business day from the first to the last of the given ones. */
export function hoursBetween(given: string[], startsAt: number): string[] {
  const hours = hoursOfDay(startsAt);
  const at = given.map((hour) => hours.indexOf(hour));
  return at.length === 0 ? [] : hours.slice(Math.min(...at), Math.max(...at) + 1);
}
