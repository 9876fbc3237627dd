/** What changed, for systems that follow a merchant. Events are written where things change (`kernel/events.ts`). */

export { forgetOldEvents } from './forget';
export { eventColumns, isBehind, isFinal, isItsStore, listEvents, toEvent } from './list';
export { documentedEvents, listEventsInput, listEventsOutput } from './schemas';
