/** What changed, for whoever follows a merchant. Events are written where things change (`kernel/events.ts`). */

export { forgetOldEvents } from './forget';
export { listEvents } from './list';
export { documentedEvents, listEventsInput, listEventsOutput } from './schemas';
