/** Redemptions of vouchers, with their expected outcomes. */
import { isForItems } from '@/server/domain/kernel/voucher-units';
import { redeemVoucher } from '@/server/domain/vouchers/redeem';
import type { RedeemVoucherInput } from '@/server/domain/vouchers/schemas';
import { common, customerIdOf, nameCustomer, occurredAt } from './common';
import type { LedgerModel, Outcome } from './model';
import { countCase, type Operation, type Session } from './session';
import { discountOf, type ModelVoucher } from './vouchers';

export interface RedeemVoucherDraft {
  customer: number;
  voucher: number;
  /** True if another customer holds it. */
  isForeign: boolean;
  /** The notation: stored, displayed or typed. */
  spelling: 0 | 1 | 2;
  amount: number;
  lines: { item: number; quantity: number }[] | undefined;
  /** Null without a bill number. */
  bill: number | null;
  daysAgo: number;
}

/** The items of the model's item vouchers, and one item without a voucher. */
const items = [
  { plu: 'N001', unitPrice: 705 },
  { plu: 'N002', unitPrice: 455 },
  { plu: 'D001', unitPrice: 99 },
  { plu: 'X001', unitPrice: 1_000 },
];

const shown = (code: string) => `${code.slice(0, 5)}-${code.slice(5)}`;
const typed = (code: string) => ` ${code.slice(0, 3)} ${code.slice(3)}`.toLowerCase();

/** Decides a redemption's expected outcome without applying it. */
export function judgeVoucher(model: LedgerModel, session: Session, input: RedeemVoucherInput) {
  const customerId = customerIdOf(model, session, input);
  const code = input.voucherCode.toUpperCase().replace(/[ -]/g, '');
  const voucher = model.vouchers.find((one) => one.code === code && one.customerId === customerId);
  if (!voucher) return { status: 'none' as const, code: 'voucher_not_found' };
  const others = onTheSameBill(model, input);
  const refusal = refusalOf(new Date(input.occurredAt ?? model.now), voucher, others, input);
  if (refusal)
    return { status: refusal === 'bill_lines_required' ? ('none' as const) : ('refused' as const), code: refusal };
  const amount = discountOf(voucher.campaign, input.bill, campaignsOf(others));
  const answer = {
    ...common(model, input, customerId),
    type: 'redeemVoucher',
    voucherCode: shown(code),
    unit: voucher.campaign.unit,
    discount: { amount },
    billAmountAfter: input.bill.amount - amount,
  };
  return { status: 'completed' as const, answer, voucher, others };
}

const campaignsOf = (vouchers: ModelVoucher[]) => vouchers.map(({ campaign }) => campaign);

/** Vouchers redeemed with the same bill number, less than half a day apart, in the order of their redemptions. */
function onTheSameBill(model: LedgerModel, { billId, occurredAt: at }: RedeemVoucherInput): ModelVoucher[] {
  const time = new Date(at ?? model.now).getTime();
  const order = [...model.transactions.keys()];
  const redeemed = model.vouchers.filter(({ redeemedBy }) => {
    const { input, outcome } = model.transactions.get(redeemedBy ?? '') ?? {};
    if (billId === undefined || (input as RedeemVoucherInput | undefined)?.billId !== billId) return false;
    const answer = outcome?.status === 'completed' ? (outcome.answer as { occurredAt: string }) : null;
    return answer !== null && Math.abs(time - Date.parse(answer.occurredAt)) < 12 * 3_600_000;
  });
  return redeemed.sort((a, b) => order.indexOf(a.redeemedBy as string) - order.indexOf(b.redeemedBy as string));
}

function refusalOf(
  at: Date,
  { campaign, redeemedBy, expiresAt }: ModelVoucher,
  others: ModelVoucher[],
  { bill }: RedeemVoucherInput,
): string | null {
  if (redeemedBy !== null) return 'voucher_redeemed';
  if (expiresAt !== null && expiresAt <= at) return 'voucher_expired';
  if (isForItems(campaign.unit) && !bill.lines?.length) return 'bill_lines_required';
  if (bill.amount < campaign.minSpend) return 'minimum_spend_not_met';
  if (discountOf(campaign, bill, campaignsOf(others)) === 0) return 'voucher_not_applicable';
  const stacks = campaign.stackable && others.every((other) => other.campaign.stackable);
  return others.length > 0 && !stacks ? 'voucher_not_stackable' : null;
}

export const redeemVoucherOperation: Operation<RedeemVoucherDraft, RedeemVoucherInput> = {
  type: 'redeemVoucher',
  input: (model, session, draft, transactionId) => {
    const customer = nameCustomer(session, draft.customer);
    const customerId = customerIdOf(model, session, { customer });
    const wanted = model.vouchers.filter((one) => (one.customerId === customerId) !== draft.isForeign);
    const choice = wanted.length > 0 ? wanted : model.vouchers;
    const { code } = choice[draft.voucher % choice.length] as ModelVoucher;
    const lines = draft.lines?.map(({ item, quantity }) => ({
      ...(items[item % 4] as (typeof items)[number]),
      quantity,
    }));
    return {
      transactionId,
      customer,
      voucherCode: [code, shown(code), typed(code)][draft.spelling] as string,
      bill: { amount: draft.amount, lines },
      billId: draft.bill === null ? undefined : `bill-${draft.bill}-${session.customers[0]?.id}`,
      occurredAt: occurredAt(model, draft.daysAgo),
    };
  },
  decide: (model, session, input): Outcome => {
    const judged = judgeVoucher(model, session, input);
    if (judged.status !== 'completed') return judged;
    const { voucher, others } = judged;
    if (others.length > 0) countCase(session, 'vouchers stacked');
    countCase(session, voucher.campaign.unit);
    if (model.isPast(voucher.expiresAt)) countCase(session, 'told after the voucher expired');
    if (voucher.wasRedeemed) countCase(session, 'a voucher used again');
    voucher.redeemedBy = input.transactionId;
    voucher.wasRedeemed = true;
    return { status: 'completed', answer: judged.answer };
  },
  send: redeemVoucher,
};
