/** An open bill as its till knows it: what it sent, and what it was told. */
import type { Told } from './clients';

/** What the service says of it. */
export interface BillFigures {
  state: 'open' | 'paid' | 'closed' | 'void';
  closedAt: string | null;
  redeemed: number;
  sold: number;
  due: number;
  unsettled: number;
  overpaid: number;
  paidAtTill: { amount: number }[];
  sales: { transactionId: string }[];
}

export class BillOfTill {
  readonly redemptions: Told[] = [];
  readonly sales: Told[] = [];
  readonly paidAtTill: number[] = [];
  /** The sale that closed it, or a closing of its own. */
  closedBy: Told | 'closing' | null = null;
  private revision = 0;

  constructor(
    readonly billId: string,
    readonly total: number,
  ) {}

  nextRevision(): object {
    this.revision += 1;
    const paidAtTill = this.paidAtTill.map((amount) => ({ amount }));
    return { revision: this.revision, currency: 'SGD', ...sumsOf(this.total), paidAtTill };
  }

  /** A sale of a part, paid in cash. */
  saleOf(amount: number) {
    return { billId: this.billId, ...sumsOf(amount), payments: [{ method: 'cash', amount }] };
  }

  /** One sale of the whole bill, which lists what was paid before it, too. */
  saleOfAll() {
    const cash = [...this.paidAtTill, this.due()];
    const payments = [
      ...cash.map((amount) => ({ method: 'cash', amount })),
      { method: 'stored-value', amount: this.redeemed() },
    ].filter(({ amount }) => amount > 0);
    return { billId: this.billId, ...sumsOf(this.total), payments };
  }

  amountOf({ answer, refunded = 0 }: Told): number {
    const { principalUsed, bonusUsed } = JSON.parse(answer ?? '{}');
    return principalUsed + bonusUsed - refunded;
  }

  private redeemed = (): number => sum(this.redemptions.map((one) => this.amountOf(one)));

  private live = () => this.sales.filter(({ status }) => status === 'completed');

  /** What the sales took in cash. */
  sold = (): number => sum(this.live().flatMap(cashOf));

  /** What was paid at the till and is in no sale: once all goods are sold, the sales list it. */
  private unlisted = (): number =>
    this.live().some((one) => one.body.total === this.total) ? 0 : sum(this.paidAtTill);

  due = (): number => Math.max(0, this.total - this.redeemed() - this.unlisted() - this.sold());

  /** Returns what the service says otherwise; null if it is the same. */
  compare({ state, redeemed, sold, due, unsettled, overpaid, paidAtTill, sales }: BillFigures): string | null {
    const told = {
      isClosed: state === 'closed',
      redeemed,
      sold,
      due: state === 'closed' ? unsettled : due,
      overpaid,
      paidAtTill: paidAtTill.map(({ amount }) => amount),
      sales: sales.map(({ transactionId }) => transactionId),
    };
    const expected: typeof told = {
      isClosed: this.closedBy !== null,
      redeemed: this.redeemed(),
      sold: this.sold(),
      due: this.due(),
      overpaid: 0,
      paidAtTill: this.paidAtTill,
      sales: this.live().map(({ body }) => body.transactionId),
    };
    const [is, shouldBe] = [told, expected].map((one) => JSON.stringify(one));
    return is === shouldBe ? null : `of ${this.total}: ${is}, not ${shouldBe}`;
  }
}

const cashOf = ({ body }: Told): number[] =>
  (body.payments as { method: string; amount: number }[]).flatMap(({ method, amount }) =>
    method === 'cash' ? amount : [],
  );

const sum = (amounts: number[]): number => amounts.reduce((all, amount) => all + amount, 0);

/** A bill of one dish. */
const sumsOf = (amount: number) => ({
  lines: [{ plu: 'N001', name: 'Laksa', quantity: 1, unitPrice: amount, amount }],
  subtotal: amount,
  discount: 0,
  serviceCharge: 0,
  tax: 0,
  total: amount,
});
