/** Who may call what: each procedure in each role and signed out, against a table that must name every procedure. */
import { TRPCError } from '@trpc/server';
import { beforeAll, describe, expect, test } from 'vitest';
import { sharedDatabase } from '@/db/testing/database';
import type { StaffContext, StaffRole } from '@/server/domain/kernel/context';
import { DomainError } from '@/server/domain/kernel/errors';
import { countAttempt } from '@/server/testing/attempts';
import { createMerchant, testServices } from '@/server/testing/factory';
import { callAs, createStaff } from '@/server/testing/staff';
import { listProcedures } from '../procedures';
import { staffRouter } from './router';

const everybody: StaffRole[] = ['owner', 'manager', 'cashier'];
const managers: StaffRole[] = ['owner', 'manager'];
const ownersOnly: StaffRole[] = ['owner'];

const table: Record<string, StaffRole[]> = {
  changes: everybody,
  'home.figures': managers,
  'home.attention': everybody,
  'reports.liability': managers,
  'reports.sales': managers,
  'reports.vouchers': managers,
  'reports.points': managers,
  'reports.payments': managers,
  'reports.breakdown': managers,
  'reports.credit': managers,
  'reports.balances': managers,
  'reports.dailySummary': managers,
  'reports.setDailySummary': managers,
  'bills.get': everybody,
  'bills.list': everybody,
  'bills.refundPayment': managers,
  'bills.releasePayment': everybody,
  'orders.answerCall': everybody,
  'orders.board': everybody,
  'orders.done': everybody,
  'orders.setStatus': everybody,
  'orders.undo': everybody,
  'orders.acceptTable': everybody,
  'orders.declineTable': everybody,
  'qrCodes.cards': everybody,
  'qrCodes.generate': everybody,
  'qrCodes.get': everybody,
  'qrCodes.invalidateSeveral': everybody,
  'qrCodes.list': everybody,
  'tables.list': everybody,
  'tables.cards': everybody,
  'tables.add': managers,
  'tables.change': managers,
  'tables.remove': managers,
  'tables.replaceCard': managers,
  'menu.categories': everybody,
  'menu.createCategory': managers,
  'menu.updateCategory': managers,
  'menu.archiveCategory': managers,
  'menu.orderCategories': managers,
  'menu.categoryItems': everybody,
  'menu.searchItems': everybody,
  'menu.item': everybody,
  'menu.createItem': managers,
  'menu.updateItem': managers,
  'menu.orderItems': managers,
  'menu.archiveItems': managers,
  'menu.restoreItems': managers,
  'menu.importItems': managers,
  'menu.uploadPhoto': managers,
  'menu.optionGroups': everybody,
  'menu.optionGroup': everybody,
  'menu.createOptionGroup': managers,
  'menu.updateOptionGroup': managers,
  'menu.deleteOptionGroup': managers,
  'stockOuts.list': everybody,
  'stockOuts.mark': everybody,
  'stockOuts.restore': everybody,
  'staff.list': ownersOnly,
  'staff.changeRole': ownersOnly,
  'staff.setStores': ownersOnly,
  'staff.remove': ownersOnly,
  'staff.invite': ownersOnly,
  'staff.resendInvitation': ownersOnly,
  'staff.resetSecondFactor': ownersOnly,
  'staff.setSecondFactorDemand': ownersOnly,
  'staff.revokeInvitation': ownersOnly,
  'customers.find': everybody,
  'customers.list': managers,
  'customers.get': everybody,
  'customers.lots': managers,
  'customers.vouchers': everybody,
  'customers.ledger': managers,
  'customers.sales': managers,
  'customers.enrol': everybody,
  'customers.edit': managers,
  'customers.adjust': managers,
  'customers.topUpOffers': everybody,
  'customers.topUp': everybody,
  'customers.notes': everybody,
  'customers.addNote': everybody,
  'customers.editNote': everybody,
  'customers.removeNote': everybody,
  'customers.resetPin': everybody,
  'customers.setMessages': everybody,
  'customers.block': managers,
  'customers.mergePreview': managers,
  'customers.merge': managers,
  'customers.unblock': managers,
  'customers.erase': ownersOnly,
  'customerImports.list': managers,
  'customerImports.get': managers,
  'customerImports.preview': managers,
  'customerImports.totals': managers,
  'customerImports.undo': managers,
  'customerImports.start': managers,
  'customerImports.problems': managers,
  'transactions.list': everybody,
  'transactions.get': everybody,
  'transactions.refundPart': everybody,
  'transactions.voidPreview': managers,
  'transactions.void': managers,
  'transactions.acknowledgeRefund': managers,
  'settings.get': everybody,
  'settings.change': ownersOnly,
  'settings.ordering': everybody,
  'settings.changeOrdering': ownersOnly,
  'settings.choices': everybody,
  'settings.pinCoverage': ownersOnly,
  'stores.list': everybody,
  'stores.create': managers,
  'stores.change': managers,
  'stores.close': managers,
  'stores.reopen': managers,
  'apiKeys.list': ownersOnly,
  'apiKeys.get': ownersOnly,
  'apiKeys.requests': ownersOnly,
  'apiKeys.create': ownersOnly,
  'apiKeys.rotate': ownersOnly,
  'apiKeys.setLimits': ownersOnly,
  'apiKeys.setAccess': ownersOnly,
  'apiKeys.revoke': ownersOnly,
  'webhooks.list': ownersOnly,
  'webhooks.get': ownersOnly,
  'webhooks.create': ownersOnly,
  'webhooks.change': ownersOnly,
  'webhooks.rotateSecret': ownersOnly,
  'webhooks.pause': ownersOnly,
  'webhooks.resume': ownersOnly,
  'webhooks.remove': ownersOnly,
  'webhooks.sendTest': ownersOnly,
  'webhooks.deliveries': ownersOnly,
  'webhooks.delivery': ownersOnly,
  'webhooks.resend': ownersOnly,
  'webhooks.resendSpan': ownersOnly,
  'messages.list': everybody,
  'messages.templates': managers,
  'messages.saveTemplate': managers,
  'messages.setQuietHours': managers,
  'auditLog.list': managers,
  'auditLog.choices': managers,
  'packages.list': managers,
  'packages.get': managers,
  'packages.create': managers,
  'packages.update': managers,
  'packages.setArchived': managers,
  'packages.reorder': managers,
  'campaigns.list': managers,
  'campaigns.countUntranslated': managers,
  'campaigns.get': managers,
  'campaigns.create': managers,
  'campaigns.update': managers,
  'campaigns.setPaused': managers,
  'campaigns.setArchived': managers,
  'campaigns.pluChoices': managers,
  'vouchers.list': managers,
  'vouchers.findRecipients': managers,
  'vouchers.countSegment': managers,
  'vouchers.issue': managers,
  'vouchers.cancel': managers,
  'settings.setPinRequired': ownersOnly,
  'settings.advanceClock': ownersOnly,
  'automations.list': managers,
  'automations.runNow': managers,
};

const database = sharedDatabase();
const staff = {} as Record<StaffRole, StaffContext>;

beforeAll(async () => {
  const { id } = await createMerchant(database.owner);
  for (const role of everybody) {
    staff[role] = await createStaff(database.owner, testServices(database.db), id, role);
  }
});

/** Invalid for every procedure with an input. Callers with the right role get that error; others are refused before. */
const badInput = Symbol('bad') as unknown;

async function codeOf(path: string, ctx: StaffContext | null): Promise<string> {
  const code = await call(path, ctx);
  countAttempt(code !== 'OK');
  return code;
}

async function call(path: string, ctx: StaffContext | null): Promise<string> {
  const refusal = await refusalOf(path, ctx);
  return refusal ? refusal.code : 'OK';
}

/** Returns the error of a call with an input that no procedure accepts; null if there is none. */
async function refusalOf(path: string, ctx: StaffContext | null) {
  const caller = callAs(ctx) as unknown as Record<string, (input: unknown) => Promise<unknown>>;
  const procedure = path.split('.').reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], caller);
  try {
    await (procedure as (input: unknown) => Promise<unknown>)(badInput);
    return null;
  } catch (error) {
    const { cause } = error as { cause?: unknown };
    const code = error instanceof TRPCError ? error.code : 'INTERNAL_SERVER_ERROR';
    return { code, reason: cause instanceof DomainError ? cause.code : null };
  }
}

/** Changes of keys, staff and roles require a recent proof of who is there. */
const sensitive = [
  ...['apiKeys.create', 'apiKeys.setLimits', 'apiKeys.setAccess', 'apiKeys.rotate', 'apiKeys.revoke'],
  ...['webhooks.create', 'webhooks.change', 'webhooks.rotateSecret', 'webhooks.remove'],
  ...['staff.changeRole', 'staff.setStores', 'staff.remove', 'staff.invite', 'staff.resendInvitation'],
  ...['staff.resetSecondFactor', 'staff.setSecondFactorDemand'],
];

test.each(Object.keys(table))('%s, 16 minutes after the last proof of who is there', async (path) => {
  const { staff: owner, ...rest } = staff.owner;
  const late = { ...rest, staff: { ...owner, confirmedAt: new Date(Date.now() - 16 * 60_000) } };
  expect((await refusalOf(path, late))?.reason === 'confirmation_required').toBe(sensitive.includes(path));
});

test.each(Object.keys(table))('%s, without a second factor that the merchant demands', async (path) => {
  const { staff: owner, ...rest } = staff.owner;
  const without = { ...rest, staff: { ...owner, secondFactorFrom: new Date(Date.now() - 1_000) } };
  expect((await refusalOf(path, without))?.reason).toBe('second_factor_required');
});

test('the table names every procedure', () => {
  expect(Object.keys(table).sort()).toEqual(
    listProcedures(staffRouter)
      .map(({ path }) => path)
      .sort(),
  );
});

describe.each(Object.entries(table))('%s', (path, roles) => {
  test.each(everybody)('as %s', async (role) => {
    const code = await codeOf(path, staff[role]);
    if (roles.includes(role)) expect(['OK', 'BAD_REQUEST']).toContain(code);
    else expect(code).toBe('FORBIDDEN');
  });

  test('when signed out', async () => {
    expect(await codeOf(path, null)).toBe('UNAUTHORIZED');
  });
});
