import { text } from 'node:stream/consumers';
import { asc, eq } from 'drizzle-orm';
import { queriesOn } from '@/db/driver';
import type { Queries } from '@/db/query/queries';
import { billPayments, merchants, topUpRequests } from '@/db/schema';
import { StartupError } from '@/db/startup-error';
import { type Columns, dayCell, moneyCell, toCsv } from '../csv/write';
import type { PayoutPart, PayoutPeriod } from '../domain/kernel/card-payments';
import { connectStripe, listPayoutParts } from '../gateways/stripe-payouts';
import { asOwner } from './database';
import { readOptions } from './run';

export const usage = '--from 2026-11-01 --to 2026-11-30 [--merchant ID]';

type Row = PayoutPart & { merchantName: string };

const money = (column: 'gross' | 'fees' | 'refunds' | 'disputes' | 'other' | 'net') => (row: Row) =>
  moneyCell(row[column], row.currency);

const columns: Columns<Row> = {
  Arrival: ({ arrivesAt }) => dayCell(arrivesAt.toISOString().slice(0, 10)),
  Payout: ({ payoutId }) => payoutId,
  Status: ({ status }) => status,
  'Merchant ID': ({ merchantId }) => merchantId,
  Merchant: ({ merchantName }) => merchantName,
  Currency: ({ currency }) => currency,
  Payments: ({ payments }) => payments,
  Gross: money('gross'),
  Fees: money('fees'),
  Refunds: money('refunds'),
  Disputes: money('disputes'),
  Other: money('other'),
  Net: money('net'),
};

/** Prints what Stripe paid out, by payout and merchant, as CSV. The days are those of arrival at the bank, in UTC. */
export async function main(args: string[]): Promise<void> {
  const { from, to, merchant } = readOptions(
    { from: { type: 'string' }, to: { type: 'string' }, merchant: { type: 'string' } },
    args,
  );
  const period = { from: dayOf('--from', from), to: new Date(dayOf('--to', to).getTime() + 24 * 60 * 60_000) };
  const { STRIPE_SECRET_KEY: key, STRIPE_API_BASE: base = 'https://api.stripe.com' } = process.env;
  if (!key) throw new StartupError('STRIPE_SECRET_KEY is missing (docs/stripe.md says what it is).');
  const rows = await asOwner((owner) => listCardPayouts(queriesOn(owner), { key, base }, period, merchant));
  process.stdout.write(await toFile(rows));
}

/** Returns the rows as CSV. */
export const toFile = (rows: Row[]): Promise<string> => text(toCsv(columns, toRows(rows)));

async function* toRows(rows: Row[]) {
  yield* rows;
}

function dayOf(option: string, day: string | undefined): Date {
  const at = new Date(`${day}T00:00:00Z`);
  if (!/^\d{4}-\d\d-\d\d$/.test(day ?? '') || Number.isNaN(at.getTime()))
    throw new StartupError(`${option} must be a day such as 2026-11-01.`);
  return at;
}

/** Returns the parts of payouts with the merchants' names; of one merchant, if given. */
export async function listCardPayouts(
  db: Queries,
  { key, base }: { key: string; base: string },
  period: PayoutPeriod,
  merchantId?: string,
): Promise<Row[]> {
  const known = await db
    .select({
      id: merchants.id,
      name: merchants.name,
      account: merchants.cardAccountId,
      state: merchants.cardAccountState,
    })
    .from(merchants)
    .orderBy(asc(merchants.id));
  const names = new Map(known.map(({ id, name }) => [id, name]));
  const parts = await listPayoutParts(connectStripe(key, base, null), period, (paymentId) => merchantOf(db, paymentId));
  for (const { id, account, state } of known) {
    if (account === null || state === 'disconnected' || (merchantId !== undefined && merchantId !== id)) continue;
    parts.push(...(await listPayoutParts(connectStripe(key, base, account), period, id)));
  }
  return parts
    .filter((part) => merchantId === undefined || part.merchantId === merchantId)
    .map((part) => ({ ...part, merchantName: names.get(part.merchantId ?? '') ?? '' }));
}

/** A refund or dispute names only its payment. */
async function merchantOf(db: Queries, paymentId: string): Promise<string | null> {
  const [[topUp], [ofBill]] = (await Promise.all(
    [topUpRequests, billPayments].map((table) =>
      db.select({ merchantId: table.merchantId }).from(table).where(eq(table.paymentId, paymentId)).limit(1),
    ),
  )) as [{ merchantId: string }[], { merchantId: string }[]];
  return topUp?.merchantId ?? ofBill?.merchantId ?? null;
}
