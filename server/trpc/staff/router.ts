import { requireDemandedFactor } from '@/server/domain/access';
import { followChanges } from '@/server/live/changes';
import { apiKeysRouter } from './api-keys';
import { auditLogRouter } from './audit-log';
import { automationsRouter } from './automations';
import { billsRouter } from './bills';
import { campaignsRouter } from './campaigns';
import { cardAccountRouter } from './card-account';
import { cashUpsRouter } from './cash-ups';
import { customerImportsRouter } from './customer-imports';
import { customersRouter } from './customers';
import { disputesRouter } from './disputes';
import { homeRouter } from './home';
import { cashierProcedure, router, signedOut } from './init';
import { membershipsRouter } from './memberships';
import { menuRouter } from './menu';
import { messagesRouter } from './messages';
import { ordersRouter } from './orders';
import { packagesRouter } from './packages';
import { qrCodesRouter } from './qr-codes';
import { reportsRouter } from './reports';
import { settingsRouter } from './settings';
import { stockOutsRouter } from './stock-outs';
import { storesRouter } from './stores';
import { tablesRouter } from './tables';
import { transactionsRouter } from './transactions';
import { vouchersRouter } from './vouchers';
import { webhooksRouter } from './webhooks';

export const staffRouter = router({
  home: homeRouter,
  reports: reportsRouter,
  bills: billsRouter,
  orders: ordersRouter,
  qrCodes: qrCodesRouter,
  tables: tablesRouter,
  customers: customersRouter,
  customerImports: customerImportsRouter,
  transactions: transactionsRouter,
  disputes: disputesRouter,
  settings: settingsRouter,
  stores: storesRouter,
  apiKeys: apiKeysRouter,
  webhooks: webhooksRouter,
  messages: messagesRouter,
  auditLog: auditLogRouter,
  automations: automationsRouter,
  staff: membershipsRouter,
  menu: menuRouter,
  stockOuts: stockOutsRouter,
  packages: packagesRouter,
  campaigns: campaignsRouter,
  vouchers: vouchersRouter,
  cardAccount: cardAccountRouter,
  cashUps: cashUpsRouter,
  /** Yields the topics in which the merchant's data changes. */
  changes: cashierProcedure.subscription(async function* ({ ctx, signal }) {
    const mayFollow = async () => {
      const staff = await ctx.reloadStaff();
      if (staff) requireDemandedFactor(staff);
      return staff !== null;
    };
    yield* followChanges(ctx.db, ctx.merchant.id, { signal, mayFollow });
    if (!signal?.aborted) throw signedOut();
  }),
});

export type StaffRouter = typeof staffRouter;
