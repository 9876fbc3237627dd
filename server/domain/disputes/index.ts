/** Disputes of card payments: what payers want back through their bank. */

export { followDisputes } from './follow';
export { acknowledgeDispute, listDisputesOf, listDisputesToAnswer } from './list';
export type { DisputeView } from './rows';
export { type DisputesOfInput, disputeIdInput, disputesOfInput } from './schemas';
