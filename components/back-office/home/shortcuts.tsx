import { ArrowRight, ClipboardList, PackageX, QrCode, Users } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { Link } from '../../ui/link';
import { Section } from '../../ui/section';

const places = [
  { href: '/orders', name: 'orders', icon: ClipboardList },
  { href: '/qr-codes', name: 'qrCodes', icon: QrCode },
  { href: '/stock-outs', name: 'stockOuts', icon: PackageX },
  { href: '/customers', name: 'customers', icon: Users },
] as const;

/** Links to the screens that cashiers use. */
export function Shortcuts({ title }: { title: string }) {
  const t = useTranslations('shell');
  return (
    <Section title={title}>
      <ul className="grid gap-3 sm:grid-cols-2">
        {places.map(({ href, name, icon: Icon }) => (
          <li key={href}>
            <Link
              href={href}
              className="flex min-h-14 items-center gap-3 rounded-xl border border-line px-4 font-medium hover:border-edge hover:bg-tint/50"
            >
              <Icon className="size-5 text-accent" aria-hidden="true" />
              <span className="grow">{t(name)}</span>
              <ArrowRight className="size-4 text-muted" aria-hidden="true" />
            </Link>
          </li>
        ))}
      </ul>
    </Section>
  );
}
