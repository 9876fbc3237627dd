/** Runs what a POS sends as one transaction with one outcome. See docs/adr/0034-requests-share-statements-and-commits.md. */

export { defineOperation, executeTransaction, type PosAttempt, rehearseTransaction } from './execute';
export { joinGroup } from './group';
export type { Accounts, Attempt, Decision, Done, Rules } from './kind';
export type { Groupable } from './queue';
export { answerHeader, isRefusal, type RefusalAnswer, recordOne, spendEntries } from './record';
export { type RecordedType, recordedType, type TransactionStatus, transactionStatus, transactionType } from './schemas';
export { retryWhileTaken, TransactionIdTaken } from './taken';
