import { type ReactNode, useEffect, useRef, useState } from 'react';
import { CrossIcon, FilterIcon, SearchIcon } from './icons';
import { useSpeech } from './table-context';

interface SearchFieldProps {
  search: string;
  onSearch: (search: string) => void;
  isFiltered: boolean;
  /** Opens the filter, whose script may have to be loaded; null without a filter. */
  onFilter: (() => Promise<void>) | null;
  /** Further controls of the page. */
  children?: ReactNode;
}

/** Searches dishes while typing, and opens the filter. It stays visible. */
export function SearchField({ search, onSearch, isFiltered, onFilter, children }: SearchFieldProps) {
  const { words } = useSpeech();
  const input = useRef<HTMLInputElement>(null);
  // Takes over what was typed before the scripts ran.
  useEffect(() => {
    if (input.current) onSearch(input.current.value);
  }, [onSearch]);
  const [isOpening, setOpening] = useState(false);
  const openFilter = async () => {
    setOpening(true);
    await onFilter?.();
    setOpening(false);
  };
  const clear = () => {
    onSearch('');
    input.current?.focus();
  };
  return (
    <search className="search-bar">
      <div className="relative max-w-md shrink grow basis-36">
        <span className="search-icon pointer-events-none absolute inset-y-0 left-3.5 flex items-center text-muted">
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
          className="text-box min-h-11 rounded-full pr-4 pl-11 not-placeholder-shown:pr-11 [&::-webkit-search-cancel-button]:hidden"
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
      {onFilter ? (
        <button
          type="button"
          onClick={openFilter}
          aria-busy={isOpening || undefined}
          className={`filter-button self-center ${isFiltered ? 'filter-on' : ''}`}
        >
          <FilterIcon />
          <span className="max-[26rem]:sr-only">{isFiltered ? words.filterOn : words.filter}</span>
        </button>
      ) : null}
      {children}
    </search>
  );
}
