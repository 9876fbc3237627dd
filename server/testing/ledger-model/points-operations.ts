/** Sales and redemptions of points, with their expected outcomes. */
import { redeemPoints } from '@/server/domain/points/redeem';
import type { RedeemPointsInput } from '@/server/domain/points/schemas';
import type { SaleInput } from '@/server/domain/sales/schemas';
import { submitSale } from '@/server/domain/sales/submit';
import { common, customerIdOf, endOfMonthInSingapore, findCustomer, nameCustomer, occurredAt } from './common';
import type { LedgerModel, Outcome } from './model';
import { countCase, type Operation } from './session';

/** The merchant's settings, by their database names. */
export const pointsRules = {
  earn_points: 3,
  earn_per_amount: 250,
  point_value: 2,
  min_redeem_points: 5,
  points_expiry_months: 1,
};

const pointsOf = (model: LedgerModel, customerId: string) => {
  const balance = model.balanceOf(customerId).points;
  return { balance, worth: balance * pointsRules.point_value };
};

export interface SaleDraft {
  /** Null for a guest. */
  customer: number | null;
  subtotal: number;
  discountPercent: number;
  rounding: number | undefined;
  /** True if its amounts do not add up. */
  isOff: boolean;
  daysAgo: number;
}

const paidOf = ({ payments }: SaleInput) => payments.reduce((sum, { amount }) => sum + amount, 0);

export const saleOperation: Operation<SaleDraft, SaleInput> = {
  type: 'sale',
  input: (model, session, draft, transactionId) => {
    const { subtotal, rounding } = draft;
    const discount = Math.floor((subtotal * draft.discountPercent) / 100);
    const [serviceCharge, tax] = [100, 90];
    const total = subtotal - discount + serviceCharge + tax + (rounding ?? 0);
    const at = occurredAt(model, draft.daysAgo);
    return {
      transactionId,
      customer: draft.customer === null ? undefined : nameCustomer(session, draft.customer),
      occurredAt: at,
      lines: [{ plu: 'N001', name: 'Laksa', quantity: 1, unitPrice: subtotal, amount: subtotal }],
      subtotal,
      discount,
      serviceCharge,
      tax,
      rounding,
      total,
      payments: [
        { method: 'cash', amount: total - 50 },
        { method: 'visa', amount: draft.isOff ? 49 : 50 },
      ],
      closedAt: at ?? model.now.toISOString(),
    };
  },
  malformed: (input) => (paidOf(input) === input.total ? null : 'totals_mismatch'),
  decide: (model, session, input): Outcome => {
    const paid = paidOf(input);
    if (paid !== input.total) {
      return { status: 'none', code: 'totals_mismatch', details: { expectedTotal: input.total, paid } };
    }
    const customerId = findCustomer(model, session, input.customer);
    const { earn_points: each, earn_per_amount: per, points_expiry_months: months } = pointsRules;
    const pointsEarned = customerId === null ? 0 : Math.floor((input.subtotal - input.discount) / per) * each;
    const expiresAt = endOfMonthInSingapore(new Date(input.occurredAt ?? model.now), months);
    if (customerId !== null) {
      model.grant(input.transactionId, customerId, [{ part: 'points', amount: pointsEarned, expiresAt }]);
    }
    const pointsRepaid = customerId === null ? 0 : model.collectDebts(input.transactionId, customerId);
    if (pointsRepaid > 0) countCase(session, 'debt collected');
    const pointsOwed = customerId === null ? 0 : model.owedBy(customerId);
    if (customerId === null) countCase(session, 'sale of nobody');
    else if (pointsEarned > 0 && expiresAt <= model.now) countCase(session, 'earned past its time');
    const answer = {
      ...common(model, input, customerId),
      type: 'sale',
      pointsEarned,
      pointsRepaid: pointsRepaid || undefined,
      pointsOwed: pointsOwed || undefined,
      points: customerId === null ? null : pointsOf(model, customerId),
      vouchersIssued: [],
    };
    return { status: 'completed', answer };
  },
  send: submitSale,
};

export interface RedeemPointsDraft {
  customer: number;
  points: { of: 'points' | 'percent of the balance' | 'above the balance'; value: number };
  daysAgo: number;
}

export const redeemPointsOperation: Operation<RedeemPointsDraft, RedeemPointsInput> = {
  type: 'redeemPoints',
  input: (model, session, { customer: which, points: { of, value }, daysAgo }, transactionId) => {
    const customer = nameCustomer(session, which);
    const { balance } = pointsOf(model, customerIdOf(model, session, { customer }));
    const asked = {
      points: value,
      'percent of the balance': Math.floor((balance * (value % 101)) / 100),
      'above the balance': balance + value,
    }[of];
    return { transactionId, customer, points: Math.max(1, asked), occurredAt: occurredAt(model, daysAgo) };
  },
  decide: (model, session, input): Outcome => {
    const customerId = customerIdOf(model, session, input);
    const { points: requested } = input;
    const minRedeemPoints = pointsRules.min_redeem_points;
    if (requested < minRedeemPoints) {
      return { status: 'refused', code: 'minimum_points_not_met', details: { minRedeemPoints, requested } };
    }
    const { balance } = pointsOf(model, customerId);
    if (balance < requested) return { status: 'refused', code: 'insufficient_points', details: { balance, requested } };
    model.take(input.transactionId, customerId, ['points'], requested);
    const answer = {
      ...common(model, input, customerId),
      type: 'redeemPoints',
      pointsRedeemed: requested,
      amount: requested * pointsRules.point_value,
      points: pointsOf(model, customerId),
    };
    return { status: 'completed', answer };
  },
  send: redeemPoints,
};
