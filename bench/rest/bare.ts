/**
 * The service's statements as in minimal hand-written code: one pool, each request on its own, a commit once all
 * statements have returned, without checks or anything else around them.
 */

import { createHash } from 'node:crypto';
import type postgres from 'postgres';
import { appRole, connectDatabase } from '@/db/driver';
import { hashApiKey } from '@/server/domain/access/api-key';
import { newId } from '@/server/domain/kernel/ids';
import type { SaleInput } from '@/server/domain/sales/schemas';
import type { RedeemInput, TopUpInput } from '@/server/domain/stored-value/schemas';
import type { VoidInput } from '@/server/domain/transactions/schemas';
import type { RedeemVoucherInput } from '@/server/domain/vouchers/schemas';
import type { Operation } from './jobs';
import { checkParameters, type Statement, type Statements } from './statements';

type Sql = postgres.ReservedSql;
/** The input of each operation, as parsed by its schema. */
interface Inputs {
  balances: { phone: string };
  redeem: RedeemInput;
  topUp: TopUpInput;
  voucher: RedeemVoucherInput;
  sale: SaleInput;
  void: VoidInput;
}

/** `by` is the row of the key. */
/** What the operations need of a key. */
interface Key {
  apiKeyId: string;
  merchantId: string;
  storeId: string;
  storeCode: string;
}

type Execute<O extends Operation> = (by: Key, input: Inputs[O]) => Promise<object>;

export interface BareSettings {
  url: string;
  statements: Statements;
  /** Maximum number of connections. */
  pool: number;
}

function ask(sql: postgres.Sql | Sql, statement: Statement, parameters: unknown[]) {
  checkParameters(statement, parameters);
  return sql.unsafe(statement.text, parameters as never[], { prepare: true });
}

/** Executes an operation for a key. Its input is trusted. */
export function openBare({ url, statements, pool }: BareSettings) {
  const db = connectDatabase(url, { role: appRole, max: 1 });
  // One plain pool, with the service's settings.
  const pooled = db.openSession({ max: pool });

  async function findKey(key: string): Promise<Key> {
    const wanted = JSON.stringify([{ hash: hashApiKey(key).toString('hex') }]);
    const [found] = await ask(pooled, statements.key.find, [wanted]).values();
    const [, apiKeyId, , , , storeId, , , , , , merchantId, ...others] = found as string[];
    const [storeCode] = others.slice(-2);
    return { apiKeyId, merchantId, storeId, storeCode } as Key;
  }

  async function inTransaction<T>({ merchantId: m }: Key, work: (sql: Sql) => Promise<T>): Promise<T> {
    const sql = await pooled.reserve();
    try {
      sql
        .unsafe(`begin; set local app.merchant_id = '${m}'`)
        .execute()
        .catch(() => {});
      const result = await work(sql);
      await sql`commit`;
      return result;
    } finally {
      sql.release();
    }
  }

  /** Loads store and customer, and writes what every transaction has. */
  async function look(
    by: Key,
    operation: 'redeem' | 'topUp' | 'voucher' | 'sale',
    input: RedeemInput | TopUpInput | RedeemVoucherInput | SaleInput,
  ) {
    const { merchantId: m, storeCode } = by;
    const question = { n: 0, merchantId: m, storeCode, transactionId: input.transactionId, key: input.customer?.phone };
    const [found] = await ask(pooled, statements[operation].look, [JSON.stringify([question])]).values();
    const [, , storeId, , , , , customerId] = found as string[];
    const now = new Date();
    const hash = createHash('sha256').update(JSON.stringify(input)).digest();
    const uid = newId(now.getTime());
    const createdAt = now;
    const record = (type: string, amount: number, answer: object) => {
      const requestHash = `\\x${hash.toString('hex')}`;
      const { transactionId } = input;
      const told = { answer: JSON.stringify(answer), occurredAt: now, createdAt, requestHash, apiKeyId: by.apiKeyId };
      const row = { uid, storeId, transactionId, type, status: 'completed', customerId, amount, ...told };
      return [JSON.stringify([{ merchantId: m, ...row }])];
    };
    const of = { transactionUid: uid, customerId, createdAt };
    const post = (entries: Entry[], lots: Lot[] = []) => {
      const posted = (all: object[]) => JSON.stringify(all.map((one) => ({ ...one, ...of })));
      const spent = entries.flatMap(({ kind, lotId }) => (kind === 'grant' ? [] : lotId));
      return [posted(entries), m, posted(lots), m, spent, m, entries.map(() => customerId), m];
    };
    const holder = (wanted = {}) => [JSON.stringify([{ merchantId: m, customerId, ...wanted }])];
    return { storeId, customerId, now, uid, record, post, holder };
  }

  const carry: { [O in Operation]: Execute<O> } = {
    balances: async (by, { phone }) => {
      const now = new Date();
      const question = { n: 0, merchantId: by.merchantId, key: phone, storeCode: by.storeCode, now };
      const [row] = await ask(pooled, statements.balances.read, [JSON.stringify([question])]).values();
      return row as object;
    },
    redeem: async (by, input) => {
      const { now, record, post, holder } = await look(by, 'redeem', input);
      const all = statements.redeem;
      return inTransaction(by, async (sql) => {
        const { amount } = input;
        const [, [before]] = await Promise.all([
          ask(sql, all.lock, holder()),
          ask(sql, all.value, holder({ amount, now })),
        ]);
        let left = amount;
        const entries: Entry[] = [];
        for (const { id: lotId, part, remaining } of (before as postgres.Row).next_lots) {
          const taken = Math.min(left, remaining);
          entries.push({ lotId, part, kind: 'spend', amount: -taken });
          left -= taken;
        }
        const answer = { ...head(input), before, entries, printText };
        await Promise.all([
          ask(sql, all.record, record('redeemStoredValue', amount, answer)),
          ask(sql, all.post, post(entries)),
        ]);
        return answer;
      });
    },
    topUp: async (by, input) => {
      const { merchantId: m } = by;
      const { storeId, uid, now, record, post, holder } = await look(by, 'topUp', input);
      const all = statements.topUp;
      return inTransaction(by, async (sql) => {
        const [, [before], [offer]] = await Promise.all([
          ask(sql, all.lock, holder()),
          ask(sql, all.value, holder({ now })),
          ask(sql, all.offer, [JSON.stringify([{ uid, packageId: input.packageId, storeId, at: now }]), m]),
        ]);
        const { amount, bonus_amount: bonus } = offer as postgres.Row;
        const lots = [grant('principal', amount), grant('bonus', bonus)];
        const answer = { ...head(input), before, amount, bonus, printText };
        await Promise.all([
          ask(sql, all.record, record('topUp', amount, answer)),
          ask(sql, all.post, post(lots.map(entryOf), lots)),
        ]);
        return answer;
      });
    },
    voucher: async (by, input) => {
      const { merchantId: m } = by;
      const { storeId, customerId, uid, now, record, holder } = await look(by, 'voucher', input);
      const all = statements.voucher;
      return inTransaction(by, async (sql) => {
        const code = input.voucherCode.replace('-', '');
        const [, [voucher]] = await Promise.all([
          ask(sql, all.lock, holder()),
          ask(sql, all.find, [JSON.stringify([{ uid, voucherCode: code, customerId, storeId }]), m, [code]]),
        ]);
        const answer = { ...head(input), discount: voucher?.value, printText };
        await Promise.all([
          ask(sql, all.record, record('redeemVoucher', voucher?.value, answer)),
          ask(sql, all.use, [
            JSON.stringify([{ id: voucher?.id, redeemedBy: uid, redeemedAt: now }]),
            m,
            [voucher?.id],
          ]),
        ]);
        return answer;
      });
    },
    sale: async (by, input) => {
      const { merchantId: m } = by;
      const { uid, now, record, post, holder } = await look(by, 'sale', input);
      const all = statements.sale;
      return inTransaction(by, async (sql) => {
        const [, [before]] = await Promise.all([ask(sql, all.lock, holder()), ask(sql, all.value, holder({ now }))]);
        const points = Math.floor(input.subtotal / 100);
        const lots = [grant('points', points)];
        const answer = { ...head(input), before, points, printText };
        const { subtotal, discount, serviceCharge, tax, total, closedAt } = input;
        const money = { subtotal, discount, serviceCharge, tax, rounding: 0, total, taxIncluded: [] };
        const bill = { ...money, pointsEarned: points, closedAt };
        const rows = (own: object[]) =>
          JSON.stringify(own.map((row, position) => ({ merchantId: m, position, transactionUid: uid, ...row })));
        await Promise.all([
          ask(sql, all.record, record('sale', total, answer)),
          ask(sql, all.post, post(lots.map(entryOf), lots)),
          ask(sql, all.sale, [rows([bill])]),
          ask(sql, all.lines, [rows(input.lines)]),
          ask(sql, all.payments, [rows(input.payments)]),
        ]);
        return answer;
      });
    },
    void: async (by, input) => {
      const seen = await ask(pooled, statements.void.look, [
        by.merchantId,
        by.storeCode,
        JSON.stringify(input.transactionIds.map((transactionId) => ({ transactionId }))),
      ]);
      return inTransaction(by, (sql) => voidRedemptions(sql, statements.void, by, input, seen));
    },
  };

  return {
    carry: async <O extends Operation>(operation: O, key: string, input: Inputs[O]) =>
      carry[operation](await findKey(key), input),
    close: async () => {
      await Promise.all([pooled.end({ timeout: 5 }), db.close()]);
    },
  };
}

interface Entry {
  lotId: string;
  part: string;
  kind: string;
  amount: number;
}

interface Lot {
  id: string;
  part: string;
  amount: number;
  remaining: number;
  expiresAt: null;
}

const grant = (part: string, amount: number): Lot => ({
  id: newId(),
  part,
  amount,
  remaining: amount,
  expiresAt: null,
});
const entryOf = ({ id, part, amount }: Lot): Entry => ({ lotId: id, part, kind: 'grant', amount });
const head = ({ transactionId }: { transactionId: string }) => ({
  transactionId,
  status: 'completed',
  currency: 'SGD',
});
/** As long as a real receipt. */
const printText = `Bench\n${'Stored value used                 $24.50\n'.repeat(3)}`;

/** Returns what redemptions took to their lots. */
async function voidRedemptions(
  sql: Sql,
  all: Statements['void'],
  by: Key,
  { transactionIds }: VoidInput,
  seen: postgres.Row[],
): Promise<object> {
  const { merchantId: m } = by;
  const now = new Date();
  const id = newId();
  const customers = seen.map((row) => row.kept_id);
  const uids = seen.map((row) => row.uid);
  await Promise.all([
    ask(sql, all.lock, [JSON.stringify(customers.map((customerId) => ({ merchantId: m, customerId })))]),
    ask(sql, all.lockRows, [m, uids]),
  ]);
  const [entries] = await Promise.all([
    ask(sql, all.entries, [m, uids, m, uids, uids, m, uids, m, m, uids]),
    ask(sql, all.lots, [m, m, uids, m, uids, m, m, customers]),
    ask(sql, all.shortfalls, [m, m, customers, customers]),
    ask(sql, all.duplicates, [m, customers]),
    ask(sql, all.value, [JSON.stringify(customers.map((customerId) => ({ merchantId: m, customerId, now })))]),
    ask(sql, all.bills, [m, m, uids]),
    ask(sql, all.disputes, [m, uids]),
  ]);
  const undone = entries.map(({ transaction_uid, customer_id, lot_id, part, amount }) => ({
    transactionUid: transaction_uid,
    customerId: customer_id,
    lotId: lot_id,
    part,
    kind: 'void',
    amount: -amount,
    createdAt: now,
  }));
  const answer = { transactionIds };
  const { storeId, apiKeyId } = by;
  const change = { id: newId(), actorKind: 'apiKey', actorId: apiKeyId, action: 'transactions.void', createdAt: now };
  const audited = {
    merchantId: m,
    ...change,
    subjectKind: 'void',
    subjectId: id,
    before: null,
    after: JSON.stringify(answer),
  };
  const lotIds = undone.map(({ lotId }) => lotId);
  await Promise.all([
    ask(sql, all.record, [JSON.stringify([{ merchantId: m, id, storeId, apiKeyId, reason: null, createdAt: now }])]),
    ask(sql, all.post, [JSON.stringify(undone), m, '[]', m, lotIds, m, customers, m]),
    ask(sql, all.mark, ['voided', JSON.stringify(uids.map((uid) => ({ uid, voidId: id, voidedAt: now }))), m, uids]),
    ask(sql, all.audit, [JSON.stringify([audited])]),
  ]);
  return answer;
}
