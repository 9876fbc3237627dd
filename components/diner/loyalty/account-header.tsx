'use client';

import { ArrowLeft } from 'lucide-react';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { keepLanguage } from '@/components/keep-language';
import { Link } from '../../ui/link';
import { dinerLanguages, languageCookie } from '../words';
import { useLoyalty } from './loyalty-context';
import { pathOfTable } from './way-back';

/** The merchant, the language switcher, and a link back to the table that the diner came from. */
export function AccountHeader({ logoId }: { logoId: string | null }) {
  const { merchant, words, language } = useLoyalty();
  const select = useRef<HTMLSelectElement>(null);
  // Applies a choice that was made before the scripts ran.
  useEffect(() => {
    const chosen = select.current?.value ?? language;
    if (chosen !== language) keepLanguage(languageCookie, chosen);
  }, [language]);
  return (
    <header className="relative isolate overflow-hidden border-b border-line">
      <div className="tablecloth absolute inset-0 -z-10" aria-hidden="true" />
      <div className="mx-auto flex max-w-2xl flex-wrap items-center justify-between gap-x-4 px-5 py-2 sm:px-8">
        <Link
          href={`/loyalty/${merchant.id}`}
          className="inline-flex min-h-11 items-center gap-3 rounded-md font-semibold tracking-tight wrap-anywhere"
        >
          {logoId === null ? null : (
            // biome-ignore lint/performance/noImgElement: it is small already, and next/image writes styles that our policy forbids
            <img src={`/photos/${logoId}/160`} alt="" width={36} height={36} className="rounded-lg" />
          )}
          {merchant.name}
        </Link>
        <select
          ref={select}
          aria-label={words.language}
          autoComplete="off"
          value={language}
          onChange={({ target }) => keepLanguage(languageCookie, target.value)}
          className="field-sizing-content min-h-11 cursor-pointer rounded-md bg-transparent text-[0.9375rem] text-muted hover:text-ink"
        >
          {Object.entries(dinerLanguages).map(([code, name]) => (
            <option key={code} value={code} lang={code}>
              {name}
            </option>
          ))}
        </select>
        <BackToTable />
      </div>
    </header>
  );
}

function BackToTable() {
  const { merchant, words } = useLoyalty();
  const address = useSyncExternalStore(
    () => () => {},
    () => pathOfTable(merchant.id),
    () => null,
  );
  if (address === null) return null;
  return (
    <a
      href={address}
      className="-ml-1 inline-flex min-h-11 w-full items-center gap-1.5 rounded-md text-[0.9375rem] font-medium text-accent"
    >
      <ArrowLeft className="size-4" aria-hidden="true" />
      {address.endsWith('#bill') ? words.backToBill : words.backToMenu}
    </a>
  );
}
