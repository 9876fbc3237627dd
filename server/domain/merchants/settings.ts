import { withMerchant } from '@/db/client';
import { audit } from '../core/audit';
import { announce } from '../core/changes';
import { requireRole, type StaffContext } from '../staff/context';

/** What the settings screen shows, and whether this person may change it. */
export function getSettings({ merchant, staff }: StaffContext) {
  const { pinRequired } = merchant;
  return { pinRequired, canEdit: staff.role === 'owner' };
}

/**
 * Switches "PIN required for redemption" (specification, section 1): it holds from the next request of a POS on, on every
 * instance. Errors: `role_forbidden` for all but owners.
 */
export async function setPinRequired(
  ctx: StaffContext,
  { pinRequired }: { pinRequired: boolean },
): Promise<{ pinRequired: boolean }> {
  requireRole(ctx, 'owner');
  await withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const { merchantId, sql } = tx;
    const [before] = await sql`select pin_required from merchants where id = ${merchantId} for update`;
    if (before?.pin_required === pinRequired) return;
    const actor = { kind: 'staff', id: ctx.staff.userId } as const;
    const change = { before: { pinRequired: !pinRequired }, after: { pinRequired } };
    await Promise.all([
      sql`update merchants set pin_required = ${pinRequired} where id = ${merchantId}`,
      audit(tx, actor, 'settings.pinRequired', { kind: 'merchant', id: merchantId }, ctx.clock.now(), change),
      announce(tx, 'settings'),
    ]);
  });
  return { pinRequired };
}
