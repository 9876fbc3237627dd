import type { Metadata } from 'next';
import { DocsStart } from '@/components/docs/docs-start';
import { chapters } from '@/server/docs/guides';
import { guideHref } from '@/server/docs/links';

export const metadata: Metadata = {
  title: 'Documentation',
  description: 'Guides and reference for connecting a point of sale.',
};

export default function DocsPage() {
  const shown = chapters.map(({ title, guides }) => ({
    title,
    guides: guides.map(({ name, title, summary }) => ({ href: guideHref(name), title, summary })),
  }));
  return <DocsStart chapters={shown} />;
}
