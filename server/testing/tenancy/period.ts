import { addDays, formatISO, subDays } from 'date-fns';

const dayOf = (date: Date) => formatISO(date, { representation: 'date' });

/** Days that cover all changes of a test's merchants, in any time zone. */
export const period = { from: dayOf(subDays(new Date(), 7)), to: dayOf(addDays(new Date(), 1)) };

/** The same days as a list's filter. */
export const days = { from: period.from, until: period.to };
