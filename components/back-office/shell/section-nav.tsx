'use client';

import { usePathname } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { classNames } from '@/components/ui/class-names';
import { Link } from '../../ui/link';
import { isWithin, type Section, useSections } from '../office/sections';

function SectionLink({ section, onFollow }: { section: Section; onFollow?: () => void }) {
  const t = useTranslations('shell');
  const path = usePathname();
  const isHere = isWithin(path, section);
  const Icon = section.icon;
  return (
    <Link
      href={section.href}
      onClick={onFollow}
      aria-current={isHere ? 'page' : undefined}
      className={classNames(
        'flex min-h-10 items-center gap-3 rounded-lg px-3 text-sm font-medium transition-colors lg:min-h-8',
        isHere ? 'bg-tint text-ink forced-colors:underline' : 'text-muted hover:bg-tint/60 hover:text-ink',
      )}
    >
      <Icon className={classNames('size-4.5', isHere ? 'text-accent' : null)} aria-hidden="true" />
      {t(section.name)}
    </Link>
  );
}

export function SectionNav({ onFollow }: { onFollow?: () => void }) {
  const t = useTranslations('shell');
  return (
    <nav aria-label={t('navigation')} className="flex flex-col gap-5 lg:gap-3.5">
      {useSections().map(({ name, sections }) => (
        <div key={String(name)}>
          {name ? <p className="mb-1 px-3 text-xs font-medium text-muted">{t(name)}</p> : null}
          <ul className="flex flex-col gap-0.5 lg:gap-px">
            {sections.map((section) => (
              <li key={section.href}>
                <SectionLink section={section} onFollow={onFollow} />
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}
