/** What may be done how often, counted in the database across all instances. */

export { returnClientAttempt, throttleClient } from './client-throttle';
export { countRefusal } from './count-refusal';
export { checkRate, limitRate, type Rate } from './rate-limit';
export { slowDown } from './slow-down';
export { clearThrottle, countAgainst, countAttempt, type Limit, returnAttempt } from './throttle';
