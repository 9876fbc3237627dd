/** A till's requests in a benchmark: each one is its own transaction, for one of many customers. */
import { phoneOf } from '../seed';

export const operations = ['balances', 'redeem', 'topUp', 'voucher', 'sale', 'void'] as const;
export type Operation = (typeof operations)[number];
/** `mixed` is a till's typical day; `hot` redeems from a single balance. */
export type Load = Operation | 'mixed' | 'hot';

export interface Voucher {
  code: string;
  phone: string;
}

/** A merchant that requests are for. */
export interface Shop {
  /** The key of a till. */
  key: string;
  packageId: string;
  vouchers: Voucher[];
}

/** The data that requests are built from. */
export interface Supplies {
  /** The prefix of each `transactionId`. */
  prefix: string;
  /** Of each merchant. */
  customers: number;
  /** Requests are for each of them in turn. */
  shops: Shop[];
}

export interface Job {
  operation: Operation;
  shop: Shop;
  /** The operation's input. */
  input: Record<string, unknown>;
}

const paths: Record<Exclude<Operation, 'balances'>, string> = {
  redeem: '/transactions/stored-value/redeem',
  topUp: '/transactions/stored-value/top-up',
  voucher: '/transactions/voucher/redeem',
  sale: '/sales',
  void: '/transactions/void',
};

/** Below `/api/v1`, as HTTP. */
export function toHttp({ operation, input }: Job): { method: 'GET' | 'POST'; path: string; body?: string } {
  if (operation === 'balances') return { method: 'GET', path: `/customers/phone/${input.phone}/balances` };
  return { method: 'POST', path: paths[operation], body: JSON.stringify(input) };
}

const day: Operation[] = [
  ...Array<Operation>(10).fill('balances'),
  ...Array<Operation>(4).fill('redeem'),
  ...(['sale', 'sale', 'topUp', 'topUp', 'voucher', 'void'] as const),
];

/** The last fifth of the customers have vouchers for the voucher load; the hot balance is the first customer's. */
export const firstHolder = (customers: number) => Math.floor(customers * 0.8);

/** Creates the requests of one process. Call `done` with the executed ones: a void undoes an earlier redemption. */
export function createJobs({ prefix, customers, shops }: Supplies) {
  let serial = 0;
  const redeemed: { shop: Shop; transactionId: string }[] = [];
  const anyone = () => ({ phone: phoneOf(1 + Math.floor(Math.random() * (firstHolder(customers) - 1))) });
  const take = <T>(supply: T[], what: string): T => {
    const one = supply.pop();
    if (one === undefined) throw new Error(`the measurement ran out of ${what}`);
    return one;
  };
  const inputs: Record<Exclude<Operation, 'void'> | 'hot', (transactionId: string, shop: Shop) => Job['input']> = {
    balances: anyone,
    redeem: (transactionId) => ({ transactionId, customer: anyone(), amount: 1 }),
    hot: (transactionId) => ({ transactionId, customer: { phone: phoneOf(0) }, amount: 1 }),
    topUp: (transactionId, { packageId }) => ({ transactionId, customer: anyone(), packageId }),
    voucher: (transactionId, { vouchers }) => {
      const { code, phone } = take(vouchers, 'vouchers');
      return { transactionId, customer: { phone }, voucherCode: code, bill: { amount: 5_000 } };
    },
    sale: (transactionId) => ({ transactionId, customer: anyone(), ...bill }),
  };
  return {
    next(load: Load): Job {
      serial += 1;
      const planned = load === 'mixed' ? (day[(serial * 7) % day.length] as Operation) : load;
      // At the start of a day there is nothing to void yet.
      const operation = load === 'mixed' && planned === 'void' && redeemed.length === 0 ? 'redeem' : planned;
      if (operation === 'void') {
        const { shop, transactionId } = take(redeemed, 'redemptions to void');
        return { operation, shop, input: { transactionIds: [transactionId] } };
      }
      const shop = shops[serial % shops.length] as Shop;
      const input = inputs[operation](`${prefix}-${serial}`, shop);
      return { operation: operation === 'hot' ? 'redeem' : operation, shop, input };
    },
    done({ operation, shop, input }: Job): void {
      if (operation === 'redeem') redeemed.push({ shop, transactionId: input.transactionId as string });
    },
  };
}

const bill = {
  lines: [
    { plu: 'P1', name: 'Dish', quantity: 1, unitPrice: 800, amount: 800 },
    { plu: 'P2', name: 'Drink', quantity: 2, unitPrice: 100, amount: 200 },
  ],
  subtotal: 1_000,
  discount: 0,
  serviceCharge: 0,
  tax: 0,
  total: 1_000,
  payments: [{ method: 'visa', amount: 1_000 }],
  closedAt: new Date().toISOString(),
};
