/** What a bill should be, by the guide's rules: a plain model for random lives. All amounts are in minor units. */
import fc from 'fast-check';
import { newId } from '@/server/domain/kernel/ids';

export type Step =
  | { kind: 'put' | 'paidAtTill'; amount: number }
  | { kind: 'redeem' | 'redeemByPhone' | 'payByPhone'; amount: number }
  | SaleStep
  | { kind: 'void' | 'takeBack'; nth: number }
  | { kind: 'refundPart' | 'refundCard'; nth: number; amount: number }
  | { kind: 'close' | 'closeWrongly' | 'closeLate' | 'reopen' | 'settle' | 'settled' };

export type SaleStep =
  | { kind: 'sell' | 'sellOpen' | 'sellLast' | 'sellExpecting' | 'sellWrongly'; amount: number }
  | { kind: 'sellAll' };

const amount = fc.integer({ min: 1, max: 12 }).map((hundreds) => hundreds * 100);
const nth = fc.nat(6);
export const anyStep: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constantFrom('put', 'paidAtTill'), amount }),
  fc.record({ kind: fc.constantFrom('redeem', 'redeemByPhone', 'payByPhone'), amount }),
  fc.record({ kind: fc.constantFrom('sell', 'sellOpen', 'sellLast', 'sellExpecting', 'sellWrongly'), amount }),
  fc.constant({ kind: 'sellAll' as const }),
  fc.record({ kind: fc.constantFrom('void', 'takeBack'), nth }),
  fc.record({ kind: fc.constantFrom('refundPart', 'refundCard'), nth, amount }),
  fc.record({
    kind: fc.constantFrom('close', 'closeWrongly', 'closeLate', 'reopen', 'reopen', 'settle', 'settled'),
  }),
);

export interface Entry {
  id: string;
  by: 'till' | 'phone' | 'sale';
  /** What was redeemed, or what the till took of a sale. */
  amount: number;
  /** Of a sale, with what it lists of redemptions and phones. */
  total: number;
  at: number;
}

interface Payment {
  id: string;
  amount: number;
  kept: number;
}

const sumOf = <T>(rows: T[], of: (row: T) => number) => rows.reduce((sum, row) => sum + of(row), 0);

export class BillModel {
  total = 2_000;
  state: 'open' | 'closed' = 'open';
  closedBy: string | null = null;
  isSettling = false;
  wasReopened = false;
  hasSold = false;
  parts: number[] = [];
  payments: Payment[] = [];
  /** Redemptions and sales, oldest first. */
  entries: Entry[] = [];
  /** Counts the steps. */
  now = 0;
  /** When the till last sent the bill. A sale from after that may have more on it. */
  sentAt = 0;
  /** When it was last sent, closed or reopened. */
  changedAt = 0;

  private of = (isSale: boolean) => this.entries.filter(({ by }) => (by === 'sale') === isSale);
  get redeemed() {
    return sumOf(this.of(false), ({ amount }) => amount);
  }
  get sold() {
    return sumOf(this.of(true), ({ amount }) => amount);
  }
  /** The goods that sales have. */
  get goods() {
    return sumOf(this.of(true), ({ total }) => total);
  }
  get paid() {
    return sumOf(this.payments, ({ kept }) => kept);
  }
  get said() {
    return sumOf(this.parts, (part) => part);
  }
  get balance() {
    return this.total - this.redeemed - this.paid - this.said - this.sold;
  }
  get due() {
    return Math.max(0, this.balance);
  }
  get isPaid() {
    return this.balance <= 0 && this.paid + this.said + this.entries.length > 0;
  }
  /** Where parts and sales are more than the bill, the sales list the parts. */
  get taken() {
    const listed = Math.min(this.said, Math.max(0, this.goods + this.said - this.total));
    return Math.max(this.said, this.sold + this.said - listed);
  }
  private above(worth: number) {
    return Math.max(0, this.redeemed + this.paid + this.taken - worth);
  }
  get overpaid() {
    const later = this.of(true).filter(({ at }) => at > this.sentAt);
    return this.above(Math.max(this.total, ...later.map(({ total }) => total)));
  }

  /** What goes back to phones when the bill is closed. */
  private get returnable() {
    return this.state === 'closed' ? 0 : Math.min(this.paid, this.above(Math.max(this.total, this.goods)));
  }
  /** What a sale tells its till to give back. */
  get staysOverpaid() {
    return this.overpaid - this.returnable;
  }

  add(by: Entry['by'], amount: number, total = amount): Entry {
    const entry = { id: newId(), by, amount, total, at: this.now };
    this.entries.push(entry);
    return entry;
  }

  sell(amount: number, total: number, closes: boolean | undefined): Entry {
    const sale = this.add('sale', amount, total);
    this.hasSold = true;
    if (this.state === 'open' && (closes ?? (this.due === 0 || this.goods >= this.total))) this.end(sale);
    return sale;
  }

  /** Ends the bill. Phones get back what is too much in any case, the newest payments first. */
  end(by: Entry | null) {
    let excess = this.returnable;
    for (const payment of this.payments.toReversed()) {
      const back = Math.min(payment.kept, excess);
      payment.kept -= back;
      excess -= back;
    }
    this.state = 'closed';
    this.closedBy = by?.id ?? null;
    this.isSettling = false;
    this.changedAt = this.now;
  }

  reopen() {
    if (this.state === 'open') return;
    this.state = 'open';
    this.closedBy = null;
    this.wasReopened = true;
    this.changedAt = this.now;
  }

  /** Why a redemption or payment is refused; null if it is not. */
  refusal(requested: number, isByPhone: boolean): string | null {
    if (this.state === 'closed') return 'bill_closed';
    if (isByPhone && this.isSettling) return 'bill_settling';
    return requested > this.due ? 'bill_due_exceeded' : null;
  }

  refusedTakeBack(entry: Entry): string | null {
    if (entry.by === 'till') return 'transaction_not_found';
    if (this.state === 'closed') return 'bill_closed';
    if (this.isSettling) return 'bill_settling';
    // The till took money for a part since.
    const isReliedOn = this.of(true).some(({ at }) => at > entry.at) || (this.said > 0 && this.changedAt > entry.at);
    return this.isPaid || isReliedOn ? 'bill_paid' : null;
  }

  remove(entry: Entry) {
    this.entries = this.entries.filter(({ id }) => id !== entry.id);
    if (this.closedBy !== entry.id) return;
    const last = this.of(true).at(-1);
    // It was sold twice.
    if (last && this.goods >= this.total) this.closedBy = last.id;
    else this.reopen();
  }

  shown() {
    const isOpen = this.state === 'open';
    return {
      state: isOpen && this.isPaid ? 'paid' : this.state,
      total: this.total,
      redeemed: this.redeemed,
      paid: this.paid,
      sold: this.sold,
      overpaid: this.overpaid,
      due: isOpen ? this.due : 0,
      unsettled: isOpen ? 0 : this.due,
    };
  }
}
