'use client';

import { Search } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { inputLook } from '../ui/field';

interface SearchBoxProps {
  /** What it searches, for screen readers and as its placeholder. */
  label: string;
  value: string;
  onSearch: (text: string) => void;
}

const pauseMs = 250;

/** Searches once the typing pauses: for the text without the spaces around it. */
export function SearchBox({ label, value, onSearch }: SearchBoxProps) {
  const [draft, setDraft] = useState(value);
  const asked = useRef(value);
  const search = useRef(onSearch);
  search.current = onSearch;

  const text = draft.trim();
  useEffect(() => {
    if (text === asked.current) return;
    const timer = setTimeout(() => {
      asked.current = text;
      search.current(text);
    }, pauseMs);
    return () => clearTimeout(timer);
  }, [text]);

  // Cleared from elsewhere, or gone back to.
  useEffect(() => {
    if (value === asked.current) return;
    asked.current = value;
    setDraft(value);
  }, [value]);

  return (
    <div className="relative min-w-0 grow basis-44 max-sm:col-span-2">
      <Search
        className="pointer-events-none absolute top-1/2 left-3.5 size-4 -translate-y-1/2 text-muted"
        aria-hidden="true"
      />
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        value={draft}
        onChange={(event) => setDraft(event.target.value)}
        // A form around is not what Enter is meant for.
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
        // A search that began after a link was followed would change the address back.
        onBlur={({ relatedTarget }) => relatedTarget instanceof HTMLAnchorElement && setDraft(asked.current)}
        className={`${inputLook(false)} pl-10`}
      />
    </div>
  );
}
