import { useTranslations } from 'next-intl';
import { Link } from '../../ui/link';
import type { FigureKey } from './figure-name';

interface FigureLinkProps {
  figure: FigureKey;
  href: string;
  children: string;
}

/** A figure's value as a link to what it counts. The surrounding card, which is `relative`, is its target. */
export function FigureLink({ figure, href, children }: FigureLinkProps) {
  const t = useTranslations('figures');
  return (
    <Link
      href={href}
      aria-label={`${t(`${figure}.name`)} ${children}`}
      className="rounded after:absolute after:inset-0 after:rounded-2xl after:content-['']"
    >
      {children}
    </Link>
  );
}
