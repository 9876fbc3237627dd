import {
  Armchair,
  BookOpenText,
  Calculator,
  CalendarClock,
  ChartColumn,
  ClipboardList,
  House,
  KeyRound,
  type LucideIcon,
  MessageSquareText,
  PackageX,
  QrCode,
  Receipt,
  ReceiptText,
  ScrollText,
  Settings,
  Store,
  Ticket,
  UserCog,
  Users,
  WalletCards,
  Webhook,
} from 'lucide-react';
import type { Messages } from '@/components/messages/languages';
import { useOffice } from './office';

export interface Section {
  href: string;
  /** The key of its name, and of the words that find it in the command palette. */
  name: keyof Messages['shell'] & keyof Messages['commandPalette']['alsoFor'];
  icon: LucideIcon;
  /** The people who see and may open it. */
  for: 'everybody' | 'managers' | 'generalManagers' | 'owners';
}

const rank = { cashier: 0, manager: 1, owner: 2 };
const requiredRank = { everybody: 0, managers: 1, generalManagers: 1, owners: 2 };

/** True if the person may open the section. `generalManagers` work for all stores. */
export const isOpenTo = (
  { role, worksEverywhere }: { role: keyof typeof rank; worksEverywhere: boolean },
  section: Section,
) => rank[role] >= requiredRank[section.for] && (section.for !== 'generalManagers' || worksEverywhere);

/** True if the path is the section's or below it. */
export const isWithin = (path: string | null, { href }: Section) =>
  path === href || path?.startsWith(`${href}/`) === true;

export interface SectionGroup {
  name: keyof Messages['shell'] | null;
  sections: Section[];
  /** True for what no ordinary day needs: only its name is shown until someone opens it. */
  isFolded?: boolean;
}

/** The sections of the back office, grouped by purpose. */
export const sectionGroups: SectionGroup[] = [
  { name: null, sections: [{ href: '/home', name: 'home', icon: House, for: 'everybody' }] },
  {
    name: 'service',
    sections: [
      { href: '/orders', name: 'orders', icon: ClipboardList, for: 'everybody' },
      { href: '/bills', name: 'bills', icon: Receipt, for: 'everybody' },
      { href: '/qr-codes', name: 'qrCodes', icon: QrCode, for: 'everybody' },
      { href: '/tables', name: 'tables', icon: Armchair, for: 'everybody' },
      { href: '/stock-outs', name: 'stockOuts', icon: PackageX, for: 'everybody' },
      { href: '/menu', name: 'menu', icon: BookOpenText, for: 'everybody' },
    ],
  },
  {
    name: 'loyalty',
    sections: [
      { href: '/customers', name: 'customers', icon: Users, for: 'everybody' },
      { href: '/transactions', name: 'transactions', icon: ReceiptText, for: 'everybody' },
      { href: '/cash-up', name: 'cashUp', icon: Calculator, for: 'everybody' },
      { href: '/packages', name: 'packages', icon: WalletCards, for: 'managers' },
      { href: '/vouchers', name: 'vouchers', icon: Ticket, for: 'managers' },
    ],
  },
  {
    name: 'insight',
    sections: [
      { href: '/reports', name: 'reports', icon: ChartColumn, for: 'managers' },
      { href: '/messages', name: 'messages', icon: MessageSquareText, for: 'managers' },
      { href: '/audit-log', name: 'auditLog', icon: ScrollText, for: 'generalManagers' },
    ],
  },
  {
    name: 'business',
    isFolded: true,
    sections: [
      { href: '/settings', name: 'settings', icon: Settings, for: 'everybody' },
      { href: '/automations', name: 'automations', icon: CalendarClock, for: 'generalManagers' },
      { href: '/stores', name: 'stores', icon: Store, for: 'generalManagers' },
      { href: '/staff', name: 'staff', icon: UserCog, for: 'owners' },
    ],
  },
  {
    name: 'developers',
    isFolded: true,
    sections: [
      { href: '/api-keys', name: 'apiKeys', icon: KeyRound, for: 'owners' },
      { href: '/webhooks', name: 'webhooks', icon: Webhook, for: 'owners' },
    ],
  },
];

/** The sections that the person's role may open, in groups. */
export function useSections() {
  const { person } = useOffice();
  return sectionGroups
    .map((group) => ({ ...group, sections: group.sections.filter((one) => isOpenTo(person, one)) }))
    .filter(({ sections }) => sections.length > 0);
}
