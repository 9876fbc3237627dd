import type { PosContext } from '@/server/domain/kernel/context';
import { DomainError } from '@/server/domain/kernel/errors';
import type { TestCustomer } from '../factory';
import type { LedgerModel, Outcome } from './model';

/** The real service for a sequence of commands: separate customers, and a clock that can be moved. */
export interface Session {
  /** Creates the context of a request. */
  request(): PosContext;
  setTime(now: Date): void;
  customers: TestCustomer[];
  packages: ModelPackage[];
  /** Reads what no response shows. */
  behindTheScenes(transactionIds: string[]): Promise<{
    /** The remainders of the bonus and points lots that these transactions granted, expired or not. */
    remaining: number[];
    /** Owed points, by voided sale. */
    debts: Record<string, number>;
  }>;
  /** Refunds a sale up to an amount, in minor units, and takes back the points that it earned. */
  refundSale(transactionId: string, refunded: number): Promise<void>;
  /** Merges the second customer into the first, as staff do. Doing it again changes nothing. */
  merge(keptId: string, mergedId: string): Promise<void>;
  /** Undoes the merge, as an owner does. */
  undoMerge(mergedId: string): Promise<void>;
  /** What each customer has left after everything is voided. */
  remains(now: Date): Promise<Remains[]>;
  /** The cases that occurred, so that a test can require enough of them. */
  seen: Map<string, number>;
}

export interface Remains {
  /** Expired or not. */
  principal: number;
  bonus: number;
  /** Not expired. */
  points: number;
  debts: number;
  /** Expired points, written off or not, except those of sales that were voided later. */
  expiredPoints: number;
  usedVouchers: number;
  completedTransactions: number;
}

/** A top-up offer as the model sees it. */
export interface ModelPackage {
  packageId: string;
  /** Minimum and maximum amount; equal for a fixed package. */
  min: number;
  max: number;
  bonusOf(amount: number): number;
  expiresInDays: number | null;
}

/**
 * An operation with a `transactionId`. If its drafts are among the commands, replay, conflict and void cover it, too.
 */
export interface Operation<Draft, Input extends { transactionId: string }> {
  type: string;
  /** Builds a draft's request in the current state. */
  input(model: LedgerModel, session: Session, draft: Draft, transactionId: string): Input;
  /** Returns the error code of an invalid request, which is refused before its id is looked up. */
  malformed?(input: Input): string | null;
  /** Decides the expected outcome, and applies it to the model. */
  decide(model: LedgerModel, session: Session, input: Input): Outcome;
  send(ctx: PosContext, input: Input): Promise<object>;
}

export interface Sent {
  outcome: { status: 'completed'; answer: object } | { status: 'failed'; code: string; details: object };
  isReplayed: boolean;
}

/** Sends a request. A domain error is a result; any other error fails the sequence. */
export async function attemptCall(session: Session, send: (ctx: PosContext) => Promise<object>): Promise<Sent> {
  const ctx = session.request();
  try {
    const answer = await send(ctx);
    return { outcome: { status: 'completed', answer }, isReplayed: ctx.replayed === true };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const { code, details } = error;
    return { outcome: { status: 'failed', code, details }, isReplayed: ctx.replayed === true };
  }
}

export function countCase(session: Session, what: string): void {
  session.seen.set(what, (session.seen.get(what) ?? 0) + 1);
}
