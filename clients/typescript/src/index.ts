export { AmountError, checkSale, toMinorUnits } from './amounts.js';
export { type ClientOptions, createClient, type LoyaltyClient } from './client.js';
export { giveUp, lookUp, RefusedError } from './outcome.js';
export {
  type Journal,
  type JournalEntry,
  openQueue,
  type Queue,
  type QueuedOutcome,
  type QueueOptions,
} from './queue.js';
export type { Decision, HeldRequest, QueuedRequest } from './queued.js';
export { UnknownOutcomeError } from './retry.js';
export type * from './schema.js';
export { verifyWebhook, WebhookError } from './webhooks.js';
