import { useEffect, useRef } from 'react';
import { CrossIcon, SearchIcon } from './icons';
import { useSpeech } from './table-context';

interface SearchFieldProps {
  search: string;
  onSearch: (search: string) => void;
}

/** Searches dishes while typing. */
export function SearchField({ search, onSearch }: SearchFieldProps) {
  const { words } = useSpeech();
  const input = useRef<HTMLInputElement>(null);
  // What was typed before the scripts ran.
  useEffect(() => {
    if (input.current) onSearch(input.current.value);
  }, [onSearch]);
  const clear = () => {
    onSearch('');
    input.current?.focus();
  };
  return (
    <search className="mx-auto w-full max-w-6xl px-5 pb-3 noscript:hidden sm:px-8">
      <div className="relative max-w-md">
        <span className="pointer-events-none absolute inset-y-0 left-3.5 flex items-center text-muted">
          <SearchIcon />
        </span>
        <input
          ref={input}
          type="search"
          value={search}
          onChange={({ target }) => onSearch(target.value)}
          onKeyDown={({ key }) => key === 'Escape' && clear()}
          aria-label={words.search}
          placeholder={words.search}
          enterKeyHint="search"
          autoComplete="off"
          maxLength={80}
          className="text-box min-h-11 rounded-full px-11 [&::-webkit-search-cancel-button]:hidden"
        />
        {search ? (
          <button
            type="button"
            aria-label={words.clearSearch}
            onClick={clear}
            className="round-button absolute inset-y-0 right-0"
          >
            <CrossIcon />
          </button>
        ) : null}
      </div>
    </search>
  );
}
