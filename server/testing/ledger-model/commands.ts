/** What a sequence is made of. Each command does its thing to the model and to the service, and compares. */
import fc from 'fast-check';
import { expect } from 'vitest';
import { balancesByPhone } from '@/server/domain/customers/balances';
import { voidTransactions } from '@/server/domain/transactions/void';
import type { LedgerModel, ModelTransaction } from './model';
import { redeemOperation, topUpOperation } from './operations';
import { attempt, note, type Operation, type Session } from './session';

type Command = fc.AsyncCommand<LedgerModel, Session, true>;
type AnyOperation = Operation<unknown, { transactionId: string }>;

let serial = 0;
const newTransactionId = () => `m-${++serial}`;

abstract class Checked implements Command {
  abstract does(model: LedgerModel, session: Session): Promise<void>;
  abstract toString(): string;

  async check(model: Readonly<LedgerModel>): Promise<boolean> {
    return this.canRun(model);
  }

  canRun(_model: Readonly<LedgerModel>): boolean {
    return true;
  }

  async run(model: LedgerModel, session: Session): Promise<void> {
    await this.does(model, session);
    for (const { id, phone } of session.customers) {
      const { storedValue, points } = await balancesByPhone(session.request(), { phone });
      const expected = model.balanceOf(id);
      expect({ storedValue, points: points.balance }).toEqual({
        storedValue: { ...expected.storedValue, expiring: model.expiring(id, 'bonus') },
        points: expected.points,
      });
    }
  }
}

/** A new request, with an id that nobody used, or whose attempts came to nothing. */
class Perform extends Checked {
  constructor(
    readonly operation: AnyOperation,
    readonly draft: unknown,
  ) {
    super();
  }

  async does(model: LedgerModel, session: Session): Promise<void> {
    const { operation } = this;
    const transactionId = model.freeIds.pop() ?? newTransactionId();
    const input = operation.input(model, session, this.draft, transactionId);
    const expected = operation.decide(model, session, input);
    const { outcome, isReplayed } = await attempt(session, (ctx) => operation.send(ctx, input));
    expect(isReplayed).toBe(false);
    if (expected.status === 'completed') {
      expect(outcome).toMatchObject({ status: 'completed', answer: expected.answer });
      const customerId = (expected.answer as { customerId: string | null }).customerId;
      const first = outcome as { status: 'completed'; answer: object };
      keep(model, transactionId, { type: operation.type, input, customerId, status: 'completed', outcome: first });
    } else {
      expect(outcome).toMatchObject({ code: expected.code, details: expected.details ?? {} });
      if (expected.status === 'none') model.freeIds.push(transactionId);
      else {
        const customerId = await this.customerOf(session, input);
        keep(model, transactionId, {
          type: operation.type,
          input,
          customerId,
          status: 'refused',
          outcome: { ...expected, details: (outcome as { details: object }).details },
        });
      }
    }
    note(session, expected.status === 'completed' ? operation.type : expected.code);
    const { remainingDue = 0 } = (outcome as { answer?: { remainingDue?: number } }).answer ?? {};
    if (remainingDue > 0) note(session, 'partial');
  }

  private async customerOf(session: Session, input: object): Promise<string | null> {
    const { customer } = input as { customer?: { customerId?: string; phone?: string; email?: string } };
    const found = session.customers.find(
      ({ id, phone, email }) => id === customer?.customerId || phone === customer?.phone || email === customer?.email,
    );
    return found?.id ?? null;
  }

  toString = () => `${this.operation.type} ${JSON.stringify(this.draft)}`;
}

function keep(model: LedgerModel, transactionId: string, transaction: ModelTransaction): void {
  model.transactions.set(transactionId, transaction);
}

function pick(model: Readonly<LedgerModel>, index: number): [string, ModelTransaction] {
  const all = [...model.transactions];
  return all[index % all.length] as [string, ModelTransaction];
}

const operations = [topUpOperation, redeemOperation] as unknown as AnyOperation[];

/** The first answer, for ever; or, once voided, a refusal for ever. */
async function expectReplay(model: LedgerModel, session: Session, id: string, pin?: string): Promise<void> {
  const { type, input, status, outcome: first } = model.transactions.get(id) as ModelTransaction;
  const operation = operations.find((one) => one.type === type) as AnyOperation;
  const again = { ...(input as { transactionId: string }), ...(pin ? { pin } : {}) };
  const { outcome, isReplayed } = await attempt(session, (ctx) => operation.send(ctx, again));
  if (status === 'voided') {
    expect(outcome).toMatchObject({ status: 'failed', code: 'transaction_voided' });
    note(session, 'replay of a voided');
  } else {
    expect(isReplayed).toBe(true);
    const { status: _, ...told } = outcome;
    const { status: __, ...once } = first as object & { status: string };
    expect(JSON.stringify(told)).toBe(JSON.stringify(once));
    note(session, `replay of a ${status}`);
  }
}

/** A request sent again, unchanged. */
class Replay extends Checked {
  constructor(readonly index: number) {
    super();
  }
  override canRun = (model: Readonly<LedgerModel>) =>
    model.transactions.size > 0 && pick(model, this.index)[1].input !== null;
  does = (model: LedgerModel, session: Session) =>
    expectReplay(model, session, pick(model, this.index)[0], this.index % 2 === 0 ? '1234' : undefined);
  toString = () => `replay #${this.index}`;
}

/** Another request with an id that was used, or voided unseen. */
class Conflict extends Checked {
  constructor(
    readonly index: number,
    readonly operation: AnyOperation,
    readonly draft: unknown,
  ) {
    super();
  }
  override canRun = (model: Readonly<LedgerModel>) => model.transactions.size > 0;
  async does(model: LedgerModel, session: Session): Promise<void> {
    const [id, { type, input: first, status }] = pick(model, this.index);
    const input = this.operation.input(model, session, this.draft, id);
    if (type === this.operation.type && JSON.stringify(first) === JSON.stringify(input)) {
      return expectReplay(model, session, id);
    }
    const { outcome, isReplayed } = await attempt(session, (ctx) => this.operation.send(ctx, input));
    const code = status === 'voided' ? 'transaction_voided' : 'transaction_id_conflict';
    expect([outcome, isReplayed]).toEqual([{ status: 'failed', code, details: {} }, false]);
    note(session, type === null ? 'late original' : code);
  }
  toString = () => `conflict #${this.index} ${this.operation.type} ${JSON.stringify(this.draft)}`;
}

/** A batch: any ids that were used, in any order, and some that were not. */
class VoidBatch extends Checked {
  constructor(
    readonly indexes: number[],
    readonly unknown: number,
  ) {
    super();
  }
  async does(model: LedgerModel, session: Session): Promise<void> {
    const known = model.transactions.size === 0 ? [] : this.indexes.map((index) => pick(model, index)[0]);
    const unknown = Array.from({ length: this.unknown }, newTransactionId);
    const transactionIds = [...new Set([...unknown, ...known])];
    if (transactionIds.length === 0) return;
    const { outcome } = await attempt(session, (ctx) => voidTransactions(ctx, { transactionIds }));
    const blocking = model.blocking(transactionIds);
    if (blocking.length > 0) {
      const details = { blocking: blocking.map((transactionId) => ({ transactionId, code: 'top_up_spent' })) };
      expect(outcome).toMatchObject({ status: 'failed', code: 'void_refused' });
      const found = (outcome as unknown as { details: typeof details }).details.blocking;
      const byId = (a: { transactionId: string }, b: typeof a) => (a.transactionId < b.transactionId ? -1 : 1);
      expect(found.toSorted(byId)).toEqual(details.blocking.toSorted(byId));
      note(session, 'void_refused');
      return;
    }
    const { results, restoredExpired } = model.void(transactionIds);
    expect(outcome).toEqual({ status: 'completed', answer: { results } });
    for (const { type, status } of results) note(session, `${status} ${type}`);
    if (restoredExpired.length > 0) {
      expect(new Set(await session.bonusLeftIn(restoredExpired))).toEqual(new Set([0]));
      note(session, 'restored past its time');
    }
  }
  toString = () => `void #${this.indexes.join(' #')} and ${this.unknown} unknown`;
}

/** Time goes by, and bonus with it. */
class Wait extends Checked {
  constructor(readonly hours: number) {
    super();
  }
  async does(model: LedgerModel, session: Session): Promise<void> {
    const before = model.customerIds.map((id) => model.balanceOf(id).storedValue.bonus);
    model.now = new Date(model.now.getTime() + this.hours * 60 * 60_000);
    session.setTime(model.now);
    const after = model.customerIds.map((id) => model.balanceOf(id).storedValue.bonus);
    if (after.some((bonus, i) => bonus < (before[i] as number))) note(session, 'expired');
  }
  toString = () => `wait ${this.hours} h`;
}

const daysAgo = fc.oneof({ weight: 6, arbitrary: fc.constant(0) }, fc.integer({ min: 1, max: 30 }));
// Mostly the first customer, in each of the three ways, so that things happen to the same balance.
const which = fc.constantFrom(0, 2, 4, 0, 2, 1);
const topUpDraft = fc.record({
  customer: which,
  package: fc.nat(3),
  percent: fc.oneof({ weight: 12, arbitrary: fc.integer({ min: 0, max: 100 }) }, fc.constant(101)),
  daysAgo,
});
const redeemDraft = fc.record({
  customer: which,
  amount: fc.record({
    of: fc.constantFrom('money', 'percent of the balance', 'percent of the balance', 'above the balance'),
    value: fc.oneof(fc.integer({ min: 1, max: 2_000 }), fc.constant(100)),
  }),
  allowPartial: fc.constantFrom(undefined, true, false),
  daysAgo,
});
const draft = fc.oneof(
  topUpDraft.map((value) => [topUpOperation as unknown as AnyOperation, value] as const),
  redeemDraft.map((value) => [redeemOperation as unknown as AnyOperation, value] as const),
);
const index = fc.nat(30);

/** A sequence of up to `maxCommands`. */
export const ledgerCommands = (maxCommands: number) =>
  fc.commands<LedgerModel, Session, true>(
    [
      draft.map(([operation, value]) => new Perform(operation, value)),
      draft.map(([operation, value]) => new Perform(operation, value)),
      draft.map(([operation, value]) => new Perform(operation, value)),
      index.map((at) => new Replay(at)),
      fc.tuple(index, draft).map(([at, [operation, value]]) => new Conflict(at, operation, value)),
      fc
        .tuple(fc.array(index, { maxLength: 4 }), fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, fc.nat(2)))
        .map(([indexes, unknown]) => new VoidBatch(indexes, unknown)),
      fc.array(index, { minLength: 1, maxLength: 2 }).map((indexes) => new VoidBatch(indexes, 0)),
      fc.constantFrom(1, 9, 24, 50, 96).map((hours) => new Wait(hours)),
    ],
    { maxCommands, size: 'max' },
  );
