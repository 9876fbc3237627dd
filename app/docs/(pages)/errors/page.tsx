import type { Metadata } from 'next';
import { ErrorList } from '@/components/docs/error-list';
import { GuidePage } from '@/components/docs/guide-page';
import { errorEntries } from '@/server/docs/error-codes';
import { findGuide } from '@/server/docs/guides';
import { operationHref } from '@/server/docs/links';
import { findOperation } from '@/server/docs/operations';
import { anchorOf, headingsOf } from '@/server/docs/sections';
import { site } from '../site';

const guide = findGuide('errors');
const heading = 'Every code';

export const metadata: Metadata = { title: guide?.title ?? '', description: guide?.summary ?? '' };

export default function ErrorsPage() {
  const text = guide?.text ?? '';
  const operationLink = (id: string) => ({ href: operationHref(id), title: findOperation(id)?.summary ?? id });
  return (
    <GuidePage text={text} site={site} headings={[...headingsOf(text), heading]}>
      <h2 id={anchorOf(heading)} className="mt-12 scroll-mt-24 text-2xl font-semibold tracking-tight">
        {heading}
      </h2>
      <ErrorList entries={errorEntries} operationLink={operationLink} />
    </GuidePage>
  );
}
