'use client';

import { ChevronDown } from 'lucide-react';
import { usePathname } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useEffect, useId, useRef, useState } from 'react';
import { classNames } from '@/components/ui/class-names';
import { Link } from '../../ui/link';
import { isWithin, type Section, type SectionGroup, useSections } from '../office/sections';

function SectionLink({ section, onFollow }: { section: Section; onFollow?: () => void }) {
  const t = useTranslations('shell');
  const path = usePathname();
  const isHere = isWithin(path, section);
  const Icon = section.icon;
  const link = useRef<HTMLAnchorElement>(null);
  // In a low window the list scrolls: the section that is open is never cut off.
  useEffect(() => {
    if (isHere) link.current?.scrollIntoView({ block: 'nearest' });
  }, [isHere]);
  return (
    <Link
      ref={link}
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

interface NavProps {
  onFollow?: () => void;
}

export function SectionNav({ onFollow }: NavProps) {
  const t = useTranslations('shell');
  return (
    <nav aria-label={t('navigation')} className="flex flex-col gap-5 lg:gap-3.5">
      {useSections().map((group) => (
        <div key={String(group.name)}>
          <Group group={group} onFollow={onFollow} />
        </div>
      ))}
    </nav>
  );
}

/** A folded group with few sections for this person is shown whole: folding it would save nothing. */
const foldedFrom = 2;

function Group({ group: { name, sections, isFolded = false }, onFollow }: NavProps & { group: SectionGroup }) {
  const t = useTranslations('shell');
  const path = usePathname();
  const id = useId();
  const isHere = sections.some((section) => isWithin(path, section));
  const [isOpened, setOpened] = useState(false);
  const canFold = name !== null && isFolded && sections.length >= foldedFrom && !isHere;
  const isOpen = !canFold || isOpened;
  return (
    <>
      {name === null ? null : canFold ? (
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpened(!isOpened)}
          className="flex min-h-10 w-full items-center justify-between rounded-lg px-3 text-xs font-medium text-muted hover:bg-tint/60 hover:text-ink lg:min-h-7"
        >
          {t(name)}
          <ChevronDown className={classNames('size-4', isOpen && 'rotate-180')} aria-hidden="true" />
        </button>
      ) : (
        <p className="mb-1 px-3 text-xs font-medium text-muted">{t(name)}</p>
      )}
      <ul id={id} hidden={!isOpen} className="flex flex-col gap-0.5 lg:gap-px [&[hidden]]:hidden">
        {sections.map((section) => (
          <li key={section.href}>
            <SectionLink section={section} onFollow={onFollow} />
          </li>
        ))}
      </ul>
    </>
  );
}
