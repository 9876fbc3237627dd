/** The commands of a sequence. Each applies its action to the model and to the service, and compares them. */
import fc from 'fast-check';
import { expect } from 'vitest';
import { balancesByPhone } from '@/server/domain/customers/balances';
import type { SaleInput } from '@/server/domain/sales/schemas';
import { endOfMonthInSingapore, findCustomer, setTime, tick } from './common';
import { type AnyOperation, drafts, operations, redeemVoucherDraft } from './drafts';
import { merge, undoMerge } from './merges';
import type { LedgerModel, ModelMerge, ModelTransaction } from './model';
import { pointsRules } from './points-operations';
import { attemptCall, countCase, type Session } from './session';
import { voidThem } from './void-batch';
import { judgeVoucher, type RedeemVoucherDraft, redeemVoucherOperation } from './voucher-operation';

type Command = fc.AsyncCommand<LedgerModel, Session, true>;

let serial = 0;
const newTransactionId = () => `m-${++serial}`;

/** Expects each customer's balances to equal the model's. */
export async function expectBalances(model: LedgerModel, session: Session): Promise<void> {
  const told = await Promise.all(session.customers.map(({ phone }) => balancesByPhone(session.request(), { phone })));
  const shown = told.map(({ storedValue, points, vouchers }) => ({
    storedValue,
    points,
    vouchers: vouchers.map(({ voucherCode }) => voucherCode.replace('-', '')),
  }));
  const expected = session.customers.map(({ id }) => {
    const { storedValue, points } = model.balanceOf(id);
    const expiring = model.expiring(id, 'points').map(({ amount, expiresAt }) => ({ points: amount, expiresAt }));
    return {
      storedValue: { ...storedValue, expiring: model.expiring(id, 'bonus') },
      points: {
        balance: points,
        worth: points * pointsRules.point_value,
        pointValue: pointsRules.point_value,
        minRedeemPoints: pointsRules.min_redeem_points,
        owed: model.owedBy(id),
        expiring,
      },
      vouchers: model.usableVouchers(id),
    };
  });
  expect(shown).toEqual(expected);
}

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
    tick(model, session);
    await this.does(model, session);
    await expectBalances(model, session);
  }
}

/** A new request with an unused id, or with an id whose attempts had no outcome. */
class Perform extends Checked {
  constructor(
    readonly operation: AnyOperation,
    readonly draft: unknown,
  ) {
    super();
  }

  async does(model: LedgerModel, session: Session): Promise<void> {
    const { operation } = this;
    if (operation.type === 'cashOut' && model.hasUnclearBonus()) return;
    const transactionId = model.freeIds.pop() ?? newTransactionId();
    const input = operation.input(model, session, this.draft, transactionId);
    const expected = operation.decide(model, session, input);
    const { outcome, isReplayed } = await attemptCall(session, (ctx) => operation.send(ctx, input));
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
        const customerId = findCustomer(model, session, (input as { customer?: object }).customer);
        keep(model, transactionId, {
          type: operation.type,
          input,
          customerId,
          status: 'refused',
          outcome: { ...expected, details: (outcome as { details: object }).details },
        });
      }
    }
    countCase(session, expected.status === 'completed' ? operation.type : expected.code);
    const { remainingDue = 0 } = (outcome as { answer?: { remainingDue?: number } }).answer ?? {};
    if (remainingDue > 0) countCase(session, 'partial');
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

/** Expects the first response again or, once voided, always a refusal. */
async function expectReplay(model: LedgerModel, session: Session, id: string, pin?: string): Promise<void> {
  const { type, input, status, outcome: first } = model.transactions.get(id) as ModelTransaction;
  const operation = operations.find((one) => one.type === type) as AnyOperation;
  const again = { ...(input as { transactionId: string }), ...(pin ? { pin } : {}) };
  const { outcome, isReplayed } = await attemptCall(session, (ctx) => operation.send(ctx, again));
  if (status === 'voided') {
    expect(outcome).toMatchObject({ status: 'failed', code: 'transaction_voided' });
    countCase(session, 'replay of a voided');
  } else {
    expect(isReplayed).toBe(true);
    const [told, once] = [outcome, first as object].map((answer) => ({ ...answer, status: undefined }));
    expect(JSON.stringify(told)).toBe(JSON.stringify(once));
    countCase(session, `replay of a ${status}`);
  }
}

/** A repeated request. */
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

/** A different request with a used or tombstoned id. */
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
    const { outcome, isReplayed } = await attemptCall(session, (ctx) => this.operation.send(ctx, input));
    const malformed = this.operation.malformed?.(input);
    const code = malformed ?? (status === 'voided' ? 'transaction_voided' : 'transaction_id_conflict');
    expect(isReplayed).toBe(false);
    expect(outcome).toMatchObject({ status: 'failed', code });
    countCase(session, type === null && !malformed ? 'late original' : code);
  }
  toString = () => `conflict #${this.index} ${this.operation.type} ${JSON.stringify(this.draft)}`;
}

/** A batch of any used ids, in any order, and some unused ones. */
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
    if (transactionIds.length > 0) await voidThem(model, session, transactionIds);
  }
  toString = () => `void #${this.indexes.join(' #')} and ${this.unknown} unknown`;
}

/** Refunds a part of a sale, as its payers get money back. Its points go in proportion, over all refunds. */
class RefundSale extends Checked {
  constructor(
    readonly index: number,
    readonly percent: number,
  ) {
    super();
  }
  private saleOf(model: Readonly<LedgerModel>) {
    const sales = [...model.transactions].filter(
      ([, { type, status, customerId }]) => type === 'sale' && status === 'completed' && customerId !== null,
    );
    return sales[this.index % sales.length];
  }
  override canRun = (model: Readonly<LedgerModel>) => this.saleOf(model) !== undefined;
  async does(model: LedgerModel, session: Session): Promise<void> {
    const [id, { input, outcome }] = this.saleOf(model) as [string, ModelTransaction];
    const { total } = input as SaleInput;
    const { pointsEarned } = (outcome as { answer: { pointsEarned: number } }).answer;
    const refunded = Math.floor((total * this.percent) / 100);
    if (refunded === 0) return;
    await session.refundSale(id, refunded);
    for (const what of model.refund(id, Math.floor((pointsEarned * refunded) / total))) countCase(session, what);
  }
  toString = () => `refund ${this.percent} % of sale #${this.index}`;
}

/** Asks for a voucher's discount without changing anything. The id stays free. */
class DryRun extends Checked {
  constructor(readonly draft: RedeemVoucherDraft) {
    super();
  }
  async does(model: LedgerModel, session: Session): Promise<void> {
    const transactionId = model.freeIds.at(-1) ?? newTransactionId();
    const input = redeemVoucherOperation.input(model, session, this.draft, transactionId);
    const judged = judgeVoucher(model, session, input);
    const { outcome } = await attemptCall(session, (ctx) =>
      redeemVoucherOperation.send(ctx, { ...input, dryRun: true }),
    );
    if (judged.status === 'completed') {
      expect(outcome).toMatchObject({ status: 'completed', answer: { ...judged.answer, status: 'dryRun' } });
      countCase(session, 'dry run');
    } else expect(outcome).toMatchObject({ status: 'failed', code: judged.code });
    if (model.freeIds.length === 0) model.freeIds.push(transactionId);
  }
  toString = () => `dry run ${JSON.stringify(this.draft)}`;
}

/** Advances time, so that value expires. `0` advances to the last millisecond of the month in Singapore. */
class Wait extends Checked {
  constructor(readonly hours: number) {
    super();
  }
  async does(model: LedgerModel, session: Session): Promise<void> {
    const end = new Date(Math.max(model.now.getTime(), endOfMonthInSingapore(model.now, 0).getTime() - 1));
    const balances = () => model.customerIds.map((id) => model.balanceOf(id));
    const before = balances();
    // The next command comes a millisecond later, so value that expires at this moment has then expired.
    setTime(model, session, this.hours > 0 ? new Date(model.now.getTime() + this.hours * 60 * 60_000) : end);
    const until = model.now;
    model.now = new Date(until.getTime() + 1);
    balances().forEach(({ storedValue, points }, i) => {
      if (storedValue.bonus < (before[i]?.storedValue.bonus ?? 0)) countCase(session, 'bonus expired');
      if (points < (before[i]?.points ?? 0)) countCase(session, 'points expired');
    });
    model.now = until;
  }
  toString = () => `wait ${this.hours} h`;
}

/** Merges both customers. Once they are, it is sent again. */
class Merge extends Checked {
  constructor(readonly keepsFirst: boolean) {
    super();
  }
  async does(model: LedgerModel, session: Session): Promise<void> {
    const [first, second] = model.customerIds as [string, string];
    const [keptId, mergedId] = this.keepsFirst ? [first, second] : [second, first];
    const isMerged = model.holders.size > 0;
    const { keptId: now, mergedId: away } = isMerged ? (model.merges.at(-1) as ModelMerge) : { keptId, mergedId };
    await session.merge(now, away);
    if (isMerged) return;
    const done = merge(model, keptId, mergedId);
    countCase(session, model.merges.length > 0 ? 'merged again' : 'merged');
    for (const { part } of done.lots) countCase(session, `merge of ${part}`);
    if (done.vouchers.some(({ wasUsed }) => wasUsed)) countCase(session, 'merge of a used voucher');
    if (model.owedBy(keptId) > 0) countCase(session, 'merge with points owed');
    model.merges.push(done);
  }
  toString = () => `merge into the ${this.keepsFirst ? 'first' : 'second'}`;
}

/** Takes the last merge apart. Once it is, doing it again changes nothing. */
class UndoMerge extends Checked {
  override canRun = (model: Readonly<LedgerModel>) => model.merges.length > 0;
  async does(model: LedgerModel, session: Session): Promise<void> {
    const last = model.merges.at(-1) as ModelMerge;
    const stays = model.holders.size > 0 ? undoMerge(model, last) : null;
    const { outcome } = await attemptCall(session, async () => ({ done: await session.undoMerge(last.mergedId) }));
    expect(outcome).toMatchObject(stays === null ? { status: 'completed' } : { status: 'failed', code: 'merge_final' });
    countCase(session, stays === null ? 'merge undone' : `merge stays: ${stays}`);
  }
  toString = () => 'undo the merge';
}

const index = fc.nat(30);

/** A sequence of up to `maxCommands`, of all kinds or mostly of one kind; with merges if it says so. */
export const ledgerCommands = (maxCommands: number, { withMerges = false } = {}) =>
  fc.oneof(...drafts.map((draft) => commandsOf(draft, { maxCommands, withMerges })));

/** Mostly of the first customer, who has more. */
const merges = [
  fc.oneof(
    fc.constantFrom(false, false, false, true).map((keepsFirst) => new Merge(keepsFirst)),
    fc.constant(new UndoMerge()),
  ),
];

const commandsOf = (
  draft: (typeof drafts)[number],
  { maxCommands, withMerges }: { maxCommands: number; withMerges: boolean },
) =>
  fc.commands<LedgerModel, Session, true>(
    [
      draft.map(([operation, value]) => new Perform(operation, value)),
      draft.map(([operation, value]) => new Perform(operation, value)),
      draft.map(([operation, value]) => new Perform(operation, value)),
      index.map((at) => new Replay(at)),
      fc.tuple(index, drafts[0] as typeof draft).map(([at, [operation, value]]) => new Conflict(at, operation, value)),
      fc
        .tuple(fc.array(index, { maxLength: 4 }), fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, fc.nat(2)))
        .map(([indexes, unknown]) => new VoidBatch(indexes, unknown)),
      fc.array(index, { minLength: 1, maxLength: 2 }).map((indexes) => new VoidBatch(indexes, 0)),
      fc.constantFrom(0, 0, 1, 9, 24, 50, 96).map((hours) => new Wait(hours)),
      fc.tuple(index, fc.constantFrom(10, 33, 50, 100)).map(([at, percent]) => new RefundSale(at, percent)),
      redeemVoucherDraft.map((value) => new DryRun(value)),
      ...(withMerges ? merges : []),
    ],
    { maxCommands, size: 'max' },
  );
