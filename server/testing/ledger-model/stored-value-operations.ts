/** The operations of stored value, with their expected outcomes. */
import { cashOut } from '@/server/domain/stored-value/cash-out';
import { redeemStoredValue } from '@/server/domain/stored-value/redeem';
import type { CashOutInput, RedeemInput, TopUpInput } from '@/server/domain/stored-value/schemas';
import { topUp } from '@/server/domain/top-ups/top-up';
import { common, customerIdOf, endOfDayInSingapore, nameCustomer, occurredAt } from './common';
import type { Outcome } from './model';
import type { ModelPackage, Operation } from './session';

export const balanceLimit = 4_000;

export interface TopUpDraft {
  customer: number;
  package: number;
  /** The position between the minimum and maximum amount. Over 100 % is refused. */
  percent: number;
  daysAgo: number;
}

export const topUpOperation: Operation<TopUpDraft, TopUpInput> = {
  type: 'topUp',
  input: (model, session, draft, transactionId) => {
    const offer = session.packages[draft.package % session.packages.length] as ModelPackage;
    const amount = offer.min + Math.floor(((offer.max - offer.min) * draft.percent) / 100);
    return {
      transactionId,
      customer: nameCustomer(session, draft.customer),
      packageId: offer.packageId,
      occurredAt: occurredAt(model, draft.daysAgo),
      amount: offer.min === offer.max ? undefined : amount,
    };
  },
  decide: (model, session, input): Outcome => {
    const offer = session.packages.find(({ packageId }) => packageId === input.packageId) as ModelPackage;
    const principal = input.amount ?? offer.min;
    if (principal > offer.max) return { status: 'none', code: 'invalid_request' };
    const customerId = customerIdOf(model, session, input);
    const bonus = offer.bonusOf(principal);
    const at = new Date(input.occurredAt ?? model.now);
    const expiresAt = bonus > 0 && offer.expiresInDays !== null ? endOfDayInSingapore(at, offer.expiresInDays) : null;
    const { balance } = model.balanceOf(customerId).storedValue;
    const isLate = expiresAt !== null && expiresAt <= model.now;
    const gained = principal + (isLate ? 0 : bonus);
    if (balance + gained > balanceLimit) {
      const details = { limit: balanceLimit, balance, credited: gained };
      return { status: 'refused', code: 'balance_limit_exceeded', details };
    }
    model.grant(input.transactionId, customerId, [
      { part: 'principal', amount: principal, expiresAt: null },
      { part: 'bonus', amount: bonus, expiresAt },
    ]);
    const answer = {
      ...common(model, input, customerId),
      type: 'topUp',
      packageId: input.packageId,
      principal,
      bonus,
      credited: principal + bonus,
      storedValue: model.balanceOf(customerId).storedValue,
      bonusExpiresAt: expiresAt?.toISOString() ?? null,
    };
    return { status: 'completed', answer };
  },
  send: topUp,
};

export interface RedeemDraft {
  customer: number;
  amount: { of: 'money' | 'percent of the balance' | 'above the balance'; value: number };
  allowPartial: boolean | undefined;
  daysAgo: number;
}

export const redeemOperation: Operation<RedeemDraft, RedeemInput> = {
  type: 'redeemStoredValue',
  input: (model, session, { customer: which, amount: { of, value }, allowPartial, daysAgo }, transactionId) => {
    const customer = nameCustomer(session, which);
    const { balance } = model.balanceOf(session.customers[which % session.customers.length]?.id ?? '').storedValue;
    const asked = {
      money: value,
      'percent of the balance': Math.floor((balance * (value % 101)) / 100),
      'above the balance': balance + value,
    }[of];
    const at = occurredAt(model, daysAgo);
    return { transactionId, customer, amount: Math.max(1, asked), allowPartial, occurredAt: at };
  },
  decide: (model, session, input): Outcome => {
    const customerId = customerIdOf(model, session, input);
    const { balance } = model.balanceOf(customerId).storedValue;
    if (balance === 0 || (balance < input.amount && !input.allowPartial)) {
      return { status: 'refused', code: 'insufficient_balance', details: { balance, requested: input.amount } };
    }
    const amountRedeemed = Math.min(balance, input.amount);
    const used = model.take(input.transactionId, customerId, ['principal', 'bonus'], amountRedeemed);
    const answer = {
      ...common(model, input, customerId),
      type: 'redeemStoredValue',
      amountRedeemed,
      remainingDue: input.amount - amountRedeemed,
      principalUsed: used.principal,
      bonusUsed: used.bonus,
      storedValue: model.balanceOf(customerId).storedValue,
    };
    return { status: 'completed', answer };
  },
  send: redeemStoredValue,
};

export interface CashOutDraft {
  customer: number;
  /** Of what can be paid out; null for all of it. Above 100 is refused. */
  percent: number | null;
  daysAgo: number;
}

export const cashOutOperation: Operation<CashOutDraft, CashOutInput> = {
  type: 'cashOut',
  input: (model, session, { customer: which, percent, daysAgo }, transactionId) => {
    const { principal } = model.balanceOf(session.customers[which % session.customers.length]?.id ?? '').storedValue;
    const amount = percent === null ? undefined : Math.max(1, Math.ceil((principal * percent) / 100));
    return { transactionId, customer: nameCustomer(session, which), amount, occurredAt: occurredAt(model, daysAgo) };
  },
  decide: (model, session, input): Outcome => {
    const customerId = customerIdOf(model, session, input);
    const { principal } = model.balanceOf(customerId).storedValue;
    const amount = input.amount ?? principal;
    if (principal === 0 || amount > principal) {
      return { status: 'refused', code: 'insufficient_balance', details: { balance: principal, requested: amount } };
    }
    const bonusLapsed = model.payOut(input.transactionId, customerId, amount);
    const answer = {
      ...common(model, input, customerId),
      type: 'cashOut',
      amountPaidOut: amount,
      bonusLapsed,
      storedValue: model.balanceOf(customerId).storedValue,
    };
    return { status: 'completed', answer };
  },
  send: cashOut,
};
