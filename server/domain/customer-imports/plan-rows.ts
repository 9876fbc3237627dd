/** Decides what becomes of a file's rows: new customers, opening balances of known ones, and rows that are skipped. */

import { and, eq, isNotNull, sql } from 'drizzle-orm';
import type { Tx } from '@/db/driver';
import { anyOf } from '@/db/query/expressions';
import { adjustments, customers, transactions } from '@/db/schema';
import { keptId, type Profile } from '../identity';
import type { Merchant } from '../kernel/context';
import { maxMoney, maxPoints } from '../kernel/schemas';
import { loadSpendable, lockBalances, noValue, type Value } from '../ledger';
import { findImported, type HeldVouchers } from '../vouchers';
import { addValues } from './openings';
import { isSkipped, type Opening, type ReadRow } from './rows';
import type { ImportProblem } from './schemas';

export interface PlannedRow extends ReadRow {
  /** The known customer who gets the opening balance; null for a new customer, and for a skipped row. */
  addTo: string | null;
}

/** The import that the rows belong to. */
export interface PlannedFile {
  importId: string;
  fileName: string;
  merchant: Pick<Merchant, 'balanceLimit'>;
  /** True if known customers get the opening balance of their row. */
  addsToKnown: boolean;
  /** When the import started: customers created at this instant are of the same file. Null before. */
  startedAt: Date | null;
  /** True to lock the known customers' balances, before they are changed. */
  isLocking: boolean;
  now: Date;
}

/** The people of the rows that come in, by phone number, address or customer: of twins, the first comes in. */
export class SeenPeople {
  private readonly keys = new Set<string>();

  /** Returns false, and adds nothing, if one of the keys was there before. */
  add(keys: string[]): boolean {
    if (keys.some((key) => this.keys.has(key))) return false;
    for (const key of keys) this.keys.add(key);
    return true;
  }
}

/** Plans rows in the order of the file. `seen` is shared by the batches of one file. */
export async function planRows<Row extends ReadRow>(
  tx: Tx,
  file: PlannedFile,
  rows: Row[],
  seen = new SeenPeople(),
): Promise<(Row & PlannedRow)[]> {
  const valid = rows.filter((row) => !isSkipped(row));
  const known = await findKnown(
    tx,
    valid.map(({ profile }) => profile),
  );
  const matched = rows.map((row) => ({ row, matches: isSkipped(row) ? [] : matchesOf(known, row.profile) }));
  const ids = matched.flatMap(({ row, matches }) => (row.opening ? matches.map(({ customerId }) => customerId) : []));
  const held = await loadHeld(tx, file, file.addsToKnown ? [...new Set(ids)].toSorted() : []);
  return matched.map(({ row, matches }) => {
    const skip = (problem: ImportProblem) => ({ ...row, problems: [problem], addTo: null });
    if (isSkipped(row)) return { ...row, addTo: null };
    const [match, other] = matches;
    if (match === undefined) return seen.add(contactsOf(row.profile)) ? { ...row, addTo: null } : skip('twiceInFile');
    if (match.createdAt === file.startedAt?.getTime()) return skip('twiceInFile');
    if (!file.addsToKnown || row.opening === null) return skip('alreadyCustomer');
    if (other !== undefined) return skip('contactsOfTwo');
    const problem = problemOf(file, held.get(match.customerId), row.opening);
    if (problem !== null) return skip(problem);
    return seen.add([match.customerId]) ? { ...row, addTo: match.customerId } : skip('twiceInFile');
  });
}

const contactsOf = ({ phone, email }: Profile) => [phone, email?.toLowerCase()].flatMap((one) => one ?? []);

interface KnownCustomer {
  /** The customer who was kept, if this one was merged. */
  customerId: string;
  createdAt: number;
}

/** Returns the customers with these phone numbers and e-mail addresses, by both. */
export async function findKnown(
  { merchantId, db }: Tx,
  people: Pick<Profile, 'phone' | 'email'>[],
): Promise<Map<string, KnownCustomer>> {
  const phones = people.flatMap(({ phone }) => phone ?? []);
  const emails = people.flatMap(({ email }) => email?.toLowerCase() ?? []);
  const { phone: phoneKey, emailKey, createdAt } = customers;
  const knownBy = (key: typeof phoneKey | typeof emailKey, keys: string[]) =>
    db
      .select({ key: sql<string>`${key}`, customerId: keptId, createdAt })
      .from(customers)
      .where(and(eq(customers.merchantId, merchantId), anyOf(key, keys)));
  const known = await knownBy(phoneKey, phones).unionAll(knownBy(emailKey, emails));
  return new Map(known.map(({ key, customerId, createdAt }) => [key, { customerId, createdAt: createdAt.getTime() }]));
}

/** The customers whom a row names: two if its phone number is one's and its address another's. */
function matchesOf(known: Map<string, KnownCustomer>, profile: Profile): KnownCustomer[] {
  const found = contactsOf(profile).flatMap((key) => known.get(key) ?? []);
  return [...new Map(found.map((one) => [one.customerId, one])).values()];
}

/** What a known customer has, and has got from other files. */
interface Holding {
  spendable: Value;
  given: GivenOpening[];
  vouchers: HeldVouchers[];
}

interface GivenOpening {
  importId: string;
  fileName: string;
  value: Value;
}

async function loadHeld(tx: Tx, file: PlannedFile, customerIds: string[]): Promise<Map<string, Holding>> {
  if (customerIds.length === 0) return new Map();
  const locked = file.isLocking ? await lockBalances(tx, customerIds) : [];
  const merged = new Set(locked.flatMap(({ customerId, mergedAt }) => (mergedAt === null ? [] : customerId)));
  const ids = customerIds.filter((id) => !merged.has(id));
  const [spendable, given, vouchers] = await Promise.all([
    loadSpendable(tx, ids, file.now),
    loadGiven(tx, ids),
    findImported(tx, ids),
  ]);
  return new Map(
    spendable.map(({ customerId, ...value }) => [
      customerId,
      {
        spendable: value,
        given: given.get(customerId) ?? [],
        vouchers: vouchers.filter((one) => one.customerId === customerId),
      },
    ]),
  );
}

/** Returns the opening balances that customers, and duplicates merged into them, got from files and still have. */
async function loadGiven({ merchantId, db }: Tx, customerIds: string[]): Promise<Map<string, GivenOpening[]>> {
  const duplicates = await db
    .select({ id: customers.id, keptId })
    .from(customers)
    .where(and(eq(customers.merchantId, merchantId), anyOf(customers.mergedInto, customerIds)));
  const keptBy = new Map([
    ...customerIds.map((id) => [id, id] as const),
    ...duplicates.map((one) => [one.id, one.keptId] as const),
  ]);
  const { part, amount, importId, reason } = adjustments;
  const rows = await db
    .select({ customerId: transactions.customerId, part, amount, importId, fileName: reason })
    .from(transactions)
    .innerJoin(
      adjustments,
      and(eq(adjustments.merchantId, transactions.merchantId), eq(adjustments.transactionUid, transactions.uid)),
    )
    .where(
      and(
        eq(transactions.merchantId, merchantId),
        anyOf(transactions.customerId, [...keptBy.keys()]),
        eq(transactions.type, 'adjustment').inlineParams(),
        eq(transactions.status, 'completed').inlineParams(),
        isNotNull(importId),
      ),
    );
  const given = new Map<string, GivenOpening[]>();
  for (const row of rows) {
    const customerId = keptBy.get(row.customerId ?? '') ?? '';
    const openings = given.get(customerId) ?? [];
    given.set(customerId, openings);
    const value = { ...noValue, [row.part]: row.amount };
    const same = openings.find((one) => one.importId === row.importId);
    if (same) same.value = addValues(same.value, value);
    else openings.push({ importId: row.importId ?? '', fileName: row.fileName, value });
  }
  return given;
}

/**
 * Why a known customer can't get an opening balance. A file counts once: another with its name, or with the same balance
 * or vouchers of the customer, is the same file again.
 */
function problemOf(file: PlannedFile, holding: Holding | undefined, opening: Opening): ImportProblem | null {
  if (holding === undefined) return 'alreadyCustomer';
  const { spendable, given, vouchers } = holding;
  if ([...given, ...vouchers].some(({ importId }) => importId === file.importId)) return 'twiceInFile';
  if (vouchers.some(({ campaignId }) => campaignId === opening.vouchers?.campaignId)) return 'openingGiven';
  const isSame = ({ principal, bonus, points }: Value) =>
    principal === opening.principal && bonus === opening.bonus && points === opening.points;
  if (given.some(({ fileName, value }) => fileName === file.fileName || isSame(value))) return 'openingGiven';
  const limit = file.merchant.balanceLimit ?? maxMoney;
  const isOver = spendable.principal + spendable.bonus + opening.principal + opening.bonus > limit;
  return isOver || spendable.points + opening.points > maxPoints ? 'overBalanceLimit' : null;
}
