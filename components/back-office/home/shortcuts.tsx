import { ArrowRight, Calculator, ClipboardList, PackageX, Receipt, UserSearch, WalletCards } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { Link } from '../../ui/link';
import { Section } from '../../ui/section';
import { StoreChoice, StorePending, useStoreChoice } from '../lists/store-choice';

const places = [
  { href: '/customers?task=topUp', name: 'home.topUp', icon: WalletCards },
  { href: '/customers', name: 'home.findCustomer', icon: UserSearch },
  { href: '/orders', name: 'shell.orders', icon: ClipboardList },
  { href: '/bills', name: 'shell.bills', icon: Receipt },
  { href: '/stock-outs', name: 'shell.stockOuts', icon: PackageX },
  { href: '/cash-up', name: 'shell.cashUp', icon: Calculator },
] as const;

/** What cashiers do, at their store: it is asked once on a device, and all screens keep to it. */
export function Shortcuts() {
  const t = useTranslations();
  const choice = useStoreChoice();
  if (choice.store === null) return <StorePending {...choice} />;
  return (
    <Section title={t('home.atStore', { store: choice.store.name })} actions={<StoreChoice {...choice} />}>
      <ul className="grid grid-cols-2 gap-3 sm:grid-cols-3">
        {places.map(({ href, name, icon: Icon }) => (
          <li key={name}>
            <Link
              href={href}
              className="flex h-full min-h-24 flex-col justify-between gap-3 rounded-xl border border-line p-4 font-medium hover:border-edge hover:bg-tint/50"
            >
              <span className="flex items-center justify-between">
                <Icon className="size-6 text-accent" aria-hidden="true" />
                <ArrowRight className="size-4 text-muted" aria-hidden="true" />
              </span>
              {t(name)}
            </Link>
          </li>
        ))}
      </ul>
    </Section>
  );
}
