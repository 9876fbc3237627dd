import { createParser, parseAsString, type UseQueryStatesKeysMap, useQueryStates, type Values } from 'nuqs';
import { day } from '@/server/domain/kernel/schemas';

const cursors = { after: parseAsString, before: parseAsString };

/** A day in the URL, `YYYY-MM-DD`. Anything else is ignored. */
export const parseAsDay = createParser({
  parse: (text) => (day().safeParse(text).success ? text : null),
  serialize: (text: string) => text,
});

const countOf = (filters: Record<string, unknown>) =>
  Object.entries(filters).filter(
    ([name, value]) => value !== null && !uncounted.includes(name) && !(name === 'until' && filters.from),
  ).length;

/** Parameters that are not filters, or that belong to another filter. */
const uncounted = ['search', 'sort', 'descending', 'subjectKind'];

/**
 * Keeps a list's filters, order and page in the URL, so that it can be shared and the browser's Back works. A new
 * filter starts from the first page.
 */
export function useListState<Filters extends UseQueryStatesKeysMap>(parsers: Filters) {
  const [filters, setFilters] = useQueryStates(parsers);
  const [page, setPage] = useQueryStates(cursors, { history: 'push' });
  type Changes = Partial<{ [Name in keyof Filters]: Values<Filters>[Name] | null }>;
  return {
    filters,
    /** The number of filters that are set, not counting the search. A range of days counts once. */
    filterCount: countOf(filters),
    /** Fields of a list's input; undefined if not set. */
    page: { after: page.after ?? undefined, before: page.before ?? undefined },
    setFilters: (changes: Changes) => {
      void setPage(null, { history: 'replace' });
      void setFilters(changes as never);
    },
    clearFilters: () => {
      void setPage(null, { history: 'replace' });
      void setFilters(null);
    },
    setPage: (to: { after?: string | null; before?: string | null }) => void setPage(to),
  };
}
