import type { PosContext } from '@/server/domain/core/context';
import { DomainError } from '@/server/domain/core/errors';
import type { TestCustomer } from '../factory';
import type { LedgerModel, Outcome } from './model';

/** The real thing that a sequence of commands runs on: a customer or more of one's own, and a clock that moves. */
export interface Session {
  /** A context for one request. */
  request(): PosContext;
  setTime(now: Date): void;
  customers: TestCustomer[];
  packages: ModelPackage[];
  /** What no request shows. */
  behindTheScenes(transactionIds: string[]): Promise<{
    /** What remains in the bonus and points lots that these granted, past its time or not. */
    remaining: number[];
    /** Points that are owed, by voided sale. */
    debts: Record<string, number>;
  }>;
  /** What is left of each customer when all is voided. */
  remains(now: Date): Promise<Remains[]>;
  /** What the run has come across, so that a test can say that it came across enough. */
  seen: Map<string, number>;
}

export interface Remains {
  /** Past its time or not. */
  principal: number;
  bonus: number;
  /** What could still be spent. */
  points: number;
  debts: number;
  /** Points that expired, written off or not; those of a sale that was voided later aside. */
  expiredPoints: number;
  usedVouchers: number;
  completedTransactions: number;
}

/** A top-up offer as the model sees it. */
export interface ModelPackage {
  packageId: string;
  /** Least and most to pay; the same for a fixed one. */
  min: number;
  max: number;
  bonusOf(amount: number): number;
  expiresInDays: number | null;
}

/** An operation with a transactionId: with its drafts among the commands, replay, conflict and void cover it. */
export interface Operation<Draft, Input extends { transactionId: string }> {
  type: string;
  /** The request that a draft stands for, as things are. */
  input(model: LedgerModel, session: Session, draft: Draft, transactionId: string): Input;
  /** The code of what is wrong with the request alone: said before anybody looks at its id. */
  malformed?(input: Input): string | null;
  /** What must come of it. Changes the model where it is carried out. */
  decide(model: LedgerModel, session: Session, input: Input): Outcome;
  send(ctx: PosContext, input: Input): Promise<object>;
}

export interface Sent {
  outcome: { status: 'completed'; answer: object } | { status: 'failed'; code: string; details: object };
  isReplayed: boolean;
}

/** Sends a request; a refusal is an answer, and any other error fails the sequence. */
export async function attempt(session: Session, send: (ctx: PosContext) => Promise<object>): Promise<Sent> {
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

export function note(session: Session, what: string): void {
  session.seen.set(what, (session.seen.get(what) ?? 0) + 1);
}
