import { withMerchant } from '@/db/client';
import { auditStaff } from '../core/audit';
import { announce } from '../core/changes';
import type { StaffContext } from '../staff/context';

/** What the settings screen shows, and whether this person may change it. */
export function getSettings({ merchant, staff }: StaffContext) {
  const { pinRequired } = merchant;
  return { pinRequired, canEdit: staff.role === 'owner' };
}

/**
 * Switches "PIN required for redemption" (specification, section 1): it holds from the next request of a POS on, on every
 * instance.
 */
export async function setPinRequired(
  ctx: StaffContext,
  { pinRequired }: { pinRequired: boolean },
): Promise<{ pinRequired: boolean }> {
  await withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const { merchantId, sql } = tx;
    const [before] = await sql`select pin_required from merchants where id = ${merchantId} for update`;
    if (before?.pin_required === pinRequired) return;
    const change = { before: { pinRequired: !pinRequired }, after: { pinRequired } };
    await Promise.all([
      sql`update merchants set pin_required = ${pinRequired} where id = ${merchantId}`,
      auditStaff(tx, ctx, 'settings.pinRequired', { kind: 'merchant', id: merchantId }, change),
      announce(tx, 'settings'),
    ]);
  });
  return { pinRequired };
}
