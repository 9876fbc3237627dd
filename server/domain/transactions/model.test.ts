/**
 * Random sequences of requests against a model of what they must mean (see server/testing/ledger-model), until each of its
 * states has been seen.
 */
import { and, eq } from 'drizzle-orm';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { withMerchant } from '@/db/driver';
import { sales, transactions } from '@/db/schema';
import { ownDatabase } from '@/db/testing/database';
import {
  createCustomer,
  createFixedPackage,
  createMerchant,
  createOpenPackage,
  type TestMerchant,
  testServices,
} from '@/server/testing/factory';
import { createCampaign, createVoucher } from '@/server/testing/factory-ordering';
import { behindTheScenes } from '@/server/testing/ledger-model/behind-the-scenes';
import { expectBalances, ledgerCommands } from '@/server/testing/ledger-model/commands';
import { LedgerModel } from '@/server/testing/ledger-model/model';
import { pointsRules } from '@/server/testing/ledger-model/points-operations';
import type { ModelPackage, Session } from '@/server/testing/ledger-model/session';
import { balanceLimit } from '@/server/testing/ledger-model/stored-value-operations';
import { expectNothingLeft, voidEverything } from '@/server/testing/ledger-model/void-batch';
import { type ModelCampaign, type ModelVoucher, modelCampaigns } from '@/server/testing/ledger-model/vouchers';
import { createStaff } from '@/server/testing/staff';
import { authenticateKey } from '../access/authenticate';
import { mergeCustomers } from '../customers/merge';
import { undoMerge } from '../customers/undo-merge';
import type { PosContext, StaffContext } from '../kernel/context';
import { voucherUnitNames } from '../kernel/voucher-units';
import { lockBalances } from '../ledger';
import { verifyLedger } from '../ledger/verify';
import { takePointsOfSale } from './take-back-points';
import { holdersOf, voidRowColumns } from './void-rows';

/** `npm run proof:model` runs many sequences. */
const isProof = process.env.PROOF === 'long';
const sequences = isProof ? 600 : 15;
// Near the end of a short month: the points of a late sale from the month before expire soon, or already have when it
// arrives.
const start = new Date('2026-02-25T02:00:00Z');
const inHours = (hours: number) => new Date(start.getTime() + hours * 60 * 60_000);
const database = ownDatabase();
let merchant: TestMerchant;
let context: PosContext;
let boss: StaffContext;
let packages: ModelPackage[];
let campaigns: ModelCampaign[];
const seen = new Map<string, number>();

beforeAll(async () => {
  const { owner, db } = database;
  merchant = await createMerchant(owner, { balance_limit: balanceLimit, ...pointsRules });
  context = await authenticateKey(testServices(db), merchant.stores[0].key);
  boss = await createStaff(owner, testServices(db), merchant.id, 'owner');
  packages = await createPackages();
  campaigns = await Promise.all(voucherUnitNames.map((unit) => createModelCampaign({ unit, ...modelCampaigns[unit] })));
});

async function createPackages(): Promise<ModelPackage[]> {
  const { owner } = database;
  const fixed = async (amount: number, bonus: number, days: number | null): Promise<ModelPackage> => ({
    packageId: await createFixedPackage(owner, merchant.id, { amount, bonus, bonus_expires_in_days: days }),
    min: amount,
    max: amount,
    bonusOf: () => bonus,
    expiresInDays: days,
  });
  const range = { min: 50, max: 3_000, basisPoints: 1_555, bonus_expires_in_days: 1 };
  const open: ModelPackage = {
    packageId: await createOpenPackage(owner, merchant.id, range),
    min: range.min,
    max: range.max,
    bonusOf: (amount) => Math.floor((amount * range.basisPoints) / 10_000),
    expiresInDays: 1,
  };
  return [await fixed(1_000, 200, 3), open, await fixed(700, 300, null), await fixed(400, 0, 5)];
}

async function createModelCampaign(
  settings: Pick<ModelCampaign, 'unit' | 'value'> & Partial<ModelCampaign>,
): Promise<ModelCampaign> {
  const terms = { plus: [], minSpend: 0, maxDiscount: null, maxUnits: 1, stackable: false, ...settings };
  const campaignId = await createCampaign(database.owner, merchant.id, {
    unit: terms.unit,
    value: terms.value,
    plus: terms.plus,
    min_spend: terms.minSpend,
    max_discount: terms.maxDiscount,
    max_units: terms.maxUnits,
    stackable: terms.stackable,
  });
  return { ...terms, campaignId };
}

/**
 * Creates one or two vouchers of each campaign for the first customer and one for the other. One has expired, and no
 * two expire together.
 */
function createVouchers([first, other]: string[]): Promise<ModelVoucher[]> {
  const expiries = [9, 50, null, 300, 2_000, 110, -1, 900].map((hours) => (hours === null ? null : inHours(hours)));
  const planned = [
    ...expiries.map((expiresAt, i) => ({
      customerId: first as string,
      expiresAt,
      campaign: campaigns[i % campaigns.length],
    })),
    ...campaigns.map((campaign, i) => ({ customerId: other as string, expiresAt: inHours(20 + 400 * i), campaign })),
  ];
  return Promise.all(
    planned.map(async ({ customerId, expiresAt, campaign }) => {
      const { campaignId } = campaign as ModelCampaign;
      const code = await createVoucher(database.owner, merchant.id, { campaignId, customerId, expiresAt });
      return { code, customerId, campaign: campaign as ModelCampaign, expiresAt, redeemedBy: null, wasRedeemed: false };
    }),
  );
}

/** Creates two customers and a clock for this run alone. */
async function newSession(): Promise<{ model: LedgerModel; real: Session }> {
  const { owner } = database;
  let now = start;
  const clock = { now: () => now };
  const customers = await Promise.all([createCustomer(owner, merchant.id), createCustomer(owner, merchant.id)]);
  const customerIds = customers.map(({ id }) => id);
  const real: Session = {
    request: () => ({ ...context, clock }),
    setTime: (time) => {
      now = time;
    },
    customers,
    packages,
    seen,
    refundSale: (transactionId, refunded) => refundSale(transactionId, refunded, clock.now()),
    merge: (keptId, mergedId) => mergeCustomers({ ...boss, clock }, { keptId, mergedId }),
    undoMerge: (mergedId) => undoMerge({ ...boss, clock }, { mergedId }),
    ...behindTheScenes(owner, merchant.id, customerIds),
  };
  return { model: new LedgerModel(start, customerIds, await createVouchers(customerIds)), real };
}

/** What a refund of a card payment does to the points of its bill's sale. */
const refundSale = (transactionId: string, refunded: number, now: Date) =>
  withMerchant(database.db, merchant.id, async (tx) => {
    const isIt = and(eq(transactions.merchantId, merchant.id), eq(transactions.transactionId, transactionId));
    const select = () => tx.db.select(voidRowColumns).from(transactions).where(isIt);
    await lockBalances(tx, holdersOf(await select()));
    const [row] = await select().for('update');
    if (!row) throw new Error('there is no such sale');
    const { total, pointsEarned, pointsTaken, refunded: before } = sales;
    const [sale] = await tx.db
      .select({ uid: sales.transactionUid, total, pointsEarned, pointsTaken, before })
      .from(sales)
      .where(and(eq(sales.merchantId, merchant.id), eq(sales.transactionUid, row.uid)));
    if (sale && refunded > sale.before) await takePointsOfSale(tx, row, { ...sale, refunded }, now);
  });

test(
  'random sequences of all transactions, repeats and voids come to what the model says, and back to nothing',
  async () => {
    const property = fc.asyncProperty(ledgerCommands(60), fc.nat(), async (commands, seed) => {
      const session = await newSession();
      await fc.asyncModelRun(() => session, commands);
      await voidEverything(session.model, session.real, seed);
      await expectBalances(session.model, session.real);
      await expectNothingLeft(session.model, session.real);
    });
    const run = (numRuns: number) => fc.assert(property, { numRuns });
    await run(sequences);
    // Runs that never reached these states would prove little.
    const missing = () => needed.filter((what) => !seen.has(what));
    for (let more = 0; more < 60 && missing().length > 0; more++) await run(5);
    expect(missing(), JSON.stringify([...seen])).toEqual([]);
    expect(await verifyLedger(database.owner)).toEqual([]);
  },
  isProof ? 7_200_000 : 600_000,
);

test(
  "with merges and their undoing, too: what was moved is the kept customer's, and goes back whole or not at all",
  async () => {
    const property = fc.asyncProperty(ledgerCommands(60, { withMerges: true }), fc.nat(), async (commands, seed) => {
      const session = await newSession();
      await fc.asyncModelRun(() => session, commands);
      await voidEverything(session.model, session.real, seed);
      await expectBalances(session.model, session.real);
    });
    const run = (numRuns: number) => fc.assert(property, { numRuns });
    await run(sequences);
    const missing = () => neededOfMerges.filter((what) => !seen.has(what));
    for (let more = 0; more < 100 && missing().length > 0; more++) await run(5);
    expect(missing(), JSON.stringify([...seen])).toEqual([]);
    expect(await verifyLedger(database.owner)).toEqual([]);
  },
  isProof ? 7_200_000 : 600_000,
);

const neededOfMerges = [
  ...['merged', 'merged again', 'merge of principal', 'merge of bonus', 'merge of points', 'merge of a used voucher'],
  ...['merge undone', 'merge stays: too late', 'merge stays: value was used'],
  ...['merge stays: value crossed', 'merge stays: a voucher was used', 'customer_merged'],
  ...['stored value', 'redeemPoints', 'redeemVoucher', 'sale'].map((what) => `void of a merged customer's ${what}`),
];

const needed = [
  ...['topUp', 'cashOut', 'redeemStoredValue', 'sale', 'redeemPoints', 'redeemVoucher', 'dry run', 'partial'],
  ...['insufficient_balance', 'balance_limit_exceeded', 'invalid_request', 'bonus expired', 'points expired'],
  ...['insufficient_points', 'minimum_points_not_met', 'totals_mismatch', 'sale of nobody', 'earned past its time'],
  ...['voucher_not_found', 'voucher_redeemed', 'voucher_expired', 'voucher_not_applicable', 'voucher_not_stackable'],
  ...[
    'minimum_spend_not_met',
    'bill_lines_required',
    'a voucher used again',
    'vouchers stacked',
    'told after the voucher expired',
  ],
  ...voucherUnitNames,
  ...['replay of a completed', 'replay of a refused', 'replay of a voided', 'late original'],
  ...['transaction_id_conflict', 'transaction_voided', 'top_up_spent', 'restored past its time'],
  ...['topUp', 'cashOut', 'redeemStoredValue', 'sale', 'redeemPoints', 'redeemVoucher'].map((type) => `voided ${type}`),
  ...['already_voided topUp', 'already_voided sale', 'not_found undefined'],
  ...['points taken from another sale', 'points shortfall', 'debt paid', 'debt paid in part'],
  ...['points given back to another sale', 'points of a refund'],
  ...['debt paid with points past their time', 'in the end, nothing is left'],
];
