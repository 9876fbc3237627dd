'use client';

import { Search } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { inputLook } from '@/components/ui/field';

interface SearchBoxProps {
  /** The label for screen readers, also the placeholder. */
  label: string;
  value: string;
  onSearch: (text: string) => void;
}

const debounceMs = 250;

/** Searches once typing pauses, for the trimmed text. */
export function SearchBox({ label, value, onSearch }: SearchBoxProps) {
  const [draft, setDraft] = useState(value);
  const requested = useRef(value);
  const search = useRef(onSearch);
  search.current = onSearch;

  const text = draft.trim();
  useEffect(() => {
    if (text === requested.current) return;
    const timer = setTimeout(() => {
      requested.current = text;
      search.current(text);
    }, debounceMs);
    return () => clearTimeout(timer);
  }, [text]);

  // The search was cleared elsewhere, or the browser went back.
  useEffect(() => {
    if (value === requested.current) return;
    requested.current = value;
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
        // Enter must not submit a surrounding form.
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
        // A search that starts after a link was followed would change the URL back.
        onBlur={({ relatedTarget }) => relatedTarget instanceof HTMLAnchorElement && setDraft(requested.current)}
        className={`${inputLook(false)} pl-10`}
      />
    </div>
  );
}
