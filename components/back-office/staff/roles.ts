import { useTranslations } from 'next-intl';
import { staffRoles } from '@/server/domain/kernel/context';

const names = { owner: 'roleOwner', manager: 'roleManager', cashier: 'roleCashier' } as const;
const hints = { owner: 'ownerHint', manager: 'managerHint', cashier: 'cashierHint' } as const;

/** The roles as options, with what each may do. */
export function useRoleOptions() {
  const t = useTranslations();
  return staffRoles.map((role) => ({
    value: role,
    label: t(`shell.${names[role]}`),
    hint: t(`staff.${hints[role]}`),
  }));
}
