import type { Breakdown } from '@/db/kinds/lists';
import { listPayouts, type Payout, payoutsInput } from '@/server/domain/card-payments';
import type { StaffRole } from '@/server/domain/kernel/context';
import { iterateList, iteratePages } from '@/server/domain/kernel/page';
import {
  balancesInput,
  balancesReport,
  breakdownInput,
  creditReport,
  liabilityReport,
  paymentsByDayAndStore,
  periodInput,
  pointsReport,
  reportInput,
  type SalesPart,
  type StoreMovement,
  salesBreakdown,
  salesByDayAndStore,
  voidsReport,
  voucherReport,
} from '@/server/domain/reports';
import type { Export } from './export';
import { type Cell, type Columns, dayCell, moneyCell, toCsv } from './write';

const roles: readonly StaffRole[] = ['owner', 'manager'];
const period = periodInput.strip();
const filter = reportInput.strip();
const breakdown = breakdownInput.strip();
const payouts = payoutsInput.strip();
const balances = balancesInput.pick({ day: true }).strip();

/** Breakdowns whose parts have names besides their keys. */
const isNamed: readonly Breakdown[] = ['item', 'category', 'store', 'payment'];

const money = (currency: string) => (amount: number) => moneyCell(amount, currency);

/** Named like the same figures in other files. Negative if the balance shrank, so that they add up to its closing. */
const movementColumns = (
  [granted, spent]: [string, string],
  print: (amount: number) => Cell,
): Columns<StoreMovement<string>> => ({
  store: ({ storeName }) => storeName ?? '',
  part: ({ part }) => part,
  opening: ({ opening }) => print(opening),
  [granted]: ({ granted }) => print(granted),
  [spent]: ({ spent }) => print(spent),
  expired: ({ expired }) => print(expired),
  adjusted: ({ adjusted }) => print(adjusted),
  closing: ({ closing }) => print(closing),
});

/** The reports, with the rows of the screen's tables. Sales are by day and store. */
export const reportExports: Record<string, Export> = {
  'report-liability': {
    roles,
    readsReplica: true,
    open: (ctx, query, write = toCsv) => {
      const input = filter.parse(query);
      const columns = movementColumns(['added', 'redemptions'], money(ctx.merchant.currency));
      return write(
        columns,
        iterateList(async () => (await liabilityReport(ctx, input)).stores),
      );
    },
  },
  'report-points': {
    roles,
    readsReplica: true,
    open: (ctx, query, write = toCsv) => {
      const input = filter.parse(query);
      return write(
        movementColumns(['pointsEarned', 'pointsRedeemed'], (points) => points),
        iterateList(async () => (await pointsReport(ctx, input)).stores),
      );
    },
  },
  'report-sales': {
    roles,
    readsReplica: true,
    open: (ctx, query, write = toCsv) => {
      const input = filter.parse(query);
      const print = money(ctx.merchant.currency);
      return write(
        {
          day: ({ day }) => dayCell(day),
          store: ({ storeName }) => storeName ?? '',
          saleCount: ({ saleCount }) => saleCount,
          sales: ({ sales }) => print(sales),
          topUpCount: ({ topUpCount }) => topUpCount,
          topUps: ({ topUps }) => print(topUps),
          redemptionCount: ({ redemptionCount }) => redemptionCount,
          redemptions: ({ redemptions }) => print(redemptions),
          pointsRedeemed: ({ pointsRedeemed }) => pointsRedeemed,
          voucherCount: ({ voucherCount }) => voucherCount,
          discount: ({ discount }) => print(discount),
          changedAt: ({ changedAt }) => changedAt,
        },
        iterateList(() => salesByDayAndStore(ctx, input)),
      );
    },
  },
  'report-payments': {
    roles,
    readsReplica: true,
    open: (ctx, query, write = toCsv) => {
      const input = filter.parse(query);
      const print = money(ctx.merchant.currency);
      return write(
        {
          day: ({ day }) => dayCell(day),
          store: ({ storeName }) => storeName,
          paymentCount: ({ paymentCount }) => paymentCount,
          payments: ({ payments }) => print(payments),
          tips: ({ tips }) => print(tips),
          returned: ({ returned }) => print(returned),
        },
        iterateList(() => paymentsByDayAndStore(ctx, input)),
      );
    },
  },
  'report-payouts': {
    roles,
    isOfAllStores: true,
    open: (ctx, query, write = toCsv) => {
      const input = payouts.parse(query);
      const print = (column: 'gross' | 'fees' | 'refunds' | 'disputes' | 'other' | 'net') => (row: Payout) =>
        moneyCell(row[column], row.currency);
      return write(
        {
          arrivesOn: ({ arrivesOn }) => dayCell(arrivesOn),
          payoutId: ({ payoutId }) => payoutId,
          status: ({ status }) => status,
          currency: ({ currency }) => currency,
          payments: ({ payments }) => payments,
          gross: print('gross'),
          fees: print('fees'),
          refunds: print('refunds'),
          disputes: print('disputes'),
          other: print('other'),
          net: print('net'),
        },
        iterateList(async () => (await listPayouts(ctx, input)).payouts),
      );
    },
  },
  'report-voids': {
    roles,
    readsReplica: true,
    open: (ctx, query, write = toCsv) => {
      const input = filter.parse(query);
      const { currency } = ctx.merchant;
      return write(
        {
          at: ({ at }) => at,
          kind: ({ kind }) => kind,
          type: ({ type }) => type,
          amount: ({ type, amount }) => (type === 'redeemPoints' ? amount : moneyCell(amount, currency)),
          unit: ({ type }) => (type === 'redeemPoints' ? 'points' : currency),
          by: ({ by }) => by.name ?? by.kind,
          reason: ({ reason }) => reason,
          madeAt: ({ madeAt }) => madeAt,
          isCorrection: ({ isCorrection }) => (isCorrection ? 'yes' : 'no'),
          store: ({ store }) => store?.name ?? null,
          customerId: ({ customer }) => customer?.id ?? null,
          customer: ({ customer }) => customer?.name ?? null,
          uid: ({ uid }) => uid,
        },
        iteratePages((page) => voidsReport(ctx, { ...input, ...page })),
      );
    },
  },
  'report-breakdown': {
    roles,
    readsReplica: true,
    open: (ctx, query, write = toCsv) => {
      const input = breakdown.parse(query);
      const print = money(ctx.merchant.currency);
      return write(
        {
          [input.by]: ({ key }) => key,
          ...(isNamed.includes(input.by) && { name: ({ label }: SalesPart) => label }),
          quantity: ({ quantity }) => quantity,
          sales: ({ amount }) => print(amount),
        },
        iterateList(() => salesBreakdown(ctx, input)),
      );
    },
  },
  'report-credit': {
    roles,
    readsReplica: true,
    isOfAllStores: true,
    open: (ctx, _query, write = toCsv) => {
      const print = money(ctx.merchant.currency);
      return write(
        {
          table: ({ table }) => table,
          row: ({ row }) => row,
          paidBalance: ({ principal }) => print(principal),
          bonusBalance: ({ bonus }) => print(bonus),
          points: ({ points }) => points,
        },
        iterateList(async () => {
          const { ages, months, later, never } = await creditReport(ctx);
          return [
            ...ages.map((age) => ({ table: 'age in days', row: `${age.from}-${age.until ?? ''}`, ...age })),
            ...months.map((one) => ({ table: 'expires in', row: one.month, ...one })),
            { table: 'expires in', row: 'later', ...later },
            { table: 'expires in', row: 'never', ...never },
          ];
        }),
      );
    },
  },
  'report-balances': {
    roles,
    readsReplica: true,
    isOfAllStores: true,
    isSensitive: true,
    open: (ctx, query, write = toCsv) => {
      const { day } = balances.parse(query);
      const print = money(ctx.merchant.currency);
      return write(
        {
          customerId: ({ customerId }) => customerId,
          givenName: ({ givenName }) => givenName,
          lastName: ({ lastName }) => lastName,
          phone: ({ phone }) => phone,
          paidBalance: ({ principal }) => print(principal),
          bonusBalance: ({ bonus }) => print(bonus),
          points: ({ points }) => points,
        },
        iteratePages((page) => balancesReport(ctx, { day, ...page })),
      );
    },
  },
  'report-vouchers': {
    roles,
    readsReplica: true,
    isOfAllStores: true,
    open: (ctx, query, write = toCsv) => {
      const input = period.parse(query);
      const print = money(ctx.merchant.currency);
      return write(
        {
          campaign: ({ name }) => name,
          issued: ({ issued }) => issued,
          redeemed: ({ redeemed }) => redeemed,
          expired: ({ expired }) => expired,
          discount: ({ discount }) => print(discount),
        },
        iterateList(async () => (await voucherReport(ctx, input)).campaigns),
      );
    },
  },
};
