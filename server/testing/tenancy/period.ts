import { addDays, formatISO, subDays } from 'date-fns';

const dayOf = (date: Date) => formatISO(date, { representation: 'date' });

/** The days in which a test's merchants have done something, wherever they are. */
export const period = { from: dayOf(subDays(new Date(), 7)), to: dayOf(addDays(new Date(), 1)) };

/** The same, as lists have it. */
export const days = { from: period.from, until: period.to };
