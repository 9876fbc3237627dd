/** Time zones and moments that are difficult for calendars. */
import fc from 'fast-check';

/**
 * From UTC−11 to UTC+14, with offsets of half and quarter hours, and clocks that change at night, at midnight, and by
 * half an hour.
 */
export const zones = [
  ...['Pacific/Pago_Pago', 'Pacific/Marquesas', 'America/St_Johns', 'America/New_York', 'America/Santiago'],
  ...['America/Havana', 'Atlantic/Azores', 'UTC', 'Europe/London', 'Europe/Berlin', 'Africa/Cairo', 'Asia/Beirut'],
  ...['Asia/Kolkata', 'Asia/Kathmandu', 'Asia/Singapore', 'Australia/Lord_Howe', 'Pacific/Auckland'],
  ...['Pacific/Chatham', 'Pacific/Kiritimati'],
];
export const zone = fc.constantFrom(...zones);

const hourMs = 60 * 60_000;
/** Near leap days, clock changes, and the ends of months and years; tests use up to four days around them. */
const edges = ['2027-03-01', '2028-02-29', '2028-03-01', '2026-03-08', '2026-03-29', '2026-04-05', '2026-04-24']
  .concat(['2026-09-06', '2026-10-25', '2026-10-29', '2026-11-01', '2026-12-31', '2027-01-01', '2026-06-30'])
  .map((day) => Date.parse(`${day}T00:00:00Z`));

export const instant = fc.oneof(
  fc
    .tuple(fc.constantFrom(...edges), fc.integer({ min: -96 * hourMs, max: 96 * hourMs }))
    .map(([edge, ms]) => new Date(edge + ms)),
  fc.date({ min: new Date('2020-01-01'), max: new Date('2035-01-01'), noInvalidDate: true }),
);
