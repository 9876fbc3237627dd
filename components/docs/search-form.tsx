'use client';

import { Search } from 'lucide-react';
import { usePathname, useRouter, useSearchParams } from 'next/navigation';
import { useEffect, useRef } from 'react';

const searchPath = '/docs/search';
const pauseMs = 200;

/**
 * A form that works without scripts. With them, results follow the typing once its page is open, and "/" leads to the
 * field.
 */
export function SearchForm() {
  const router = useRouter();
  const isOpen = usePathname() === searchPath;
  const query = useSearchParams()?.get('q') ?? '';
  const input = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isTyping = event.target instanceof HTMLElement && event.target.matches('input, textarea, select');
      if (event.key !== '/' || isTyping || event.metaKey || event.ctrlKey || event.altKey) return;
      event.preventDefault();
      input.current?.focus();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);

  function search(text: string) {
    clearTimeout(timer.current);
    const href = `${searchPath}?${new URLSearchParams({ q: text })}`;
    if (isOpen) router.replace(href, { scroll: false });
    else router.push(href);
  }

  return (
    <search>
      <form
        action={searchPath}
        onSubmit={(event) => {
          event.preventDefault();
          search(input.current?.value ?? '');
        }}
        className="relative"
      >
        <span
          aria-hidden="true"
          className="pointer-events-none absolute top-0 left-3 flex h-10 items-center text-muted"
        >
          <Search size={16} />
        </span>
        <input
          ref={input}
          type="search"
          name="q"
          aria-label="Search the documentation"
          aria-keyshortcuts="/"
          placeholder="Search"
          defaultValue={query}
          maxLength={100}
          onChange={(event) => {
            const text = event.target.value;
            clearTimeout(timer.current);
            if (isOpen) timer.current = setTimeout(() => search(text), pauseMs);
          }}
          className="h-10 w-full rounded-lg border border-edge bg-surface pr-3 pl-9 text-sm placeholder:text-muted"
        />
      </form>
    </search>
  );
}
