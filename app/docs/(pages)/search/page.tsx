import type { Metadata } from 'next';
import { SearchResults } from '@/components/docs/search-results';
import { searchDocs } from '@/server/docs/search';

export const metadata: Metadata = { title: 'Search', robots: { index: false } };

interface Props {
  searchParams: Promise<{ q?: string | string[] }>;
}

export default async function SearchPage({ searchParams }: Props) {
  const query = [(await searchParams).q ?? ''].flat().join(' ').trim();
  return <SearchResults query={query} hits={query ? searchDocs(query) : []} />;
}
