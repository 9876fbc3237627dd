import { cookies } from 'next/headers';
import type { ReactNode } from 'react';
import { DocsShell } from '@/components/docs/docs-shell';
import { sampleCookie } from '@/components/docs/sample-choice';
import { SampleLanguages } from '@/components/docs/sample-tabs';
import { keptLanguage } from '@/components/keep-language';
import { SiteFooter } from '@/components/site/site-footer';
import { SiteHeader } from '@/components/site/site-header';
import { isSignedIn } from '@/server/auth/session';
import { chapters } from '@/server/docs/guides';
import { guideHref, operationHref } from '@/server/docs/links';
import { operationGroups } from '@/server/docs/operations';
import { sampleLanguages } from '@/server/docs/samples';
import { env } from '@/server/environment/env';
import './docs.css';

const start = { href: '/docs', title: 'Overview' };
const operationsLink = { href: '/docs/reference', title: 'API reference' };

const guides = [
  { title: 'Documentation', links: [start, operationsLink, { href: '/docs/changelog', title: 'Changelog' }] },
  ...chapters.map(({ title, guides }) => ({
    title,
    links: guides.map(({ name, title }) => ({ href: guideHref(name), title })),
  })),
];

const reference = [
  {
    title: 'Documentation',
    links: [
      start,
      operationsLink,
      { href: '/docs/errors', title: 'Errors by code' },
      { href: '/docs/reference/event-types', title: 'Event types' },
    ],
  },
  ...operationGroups.map(({ tag, operations }) => ({
    title: tag,
    links: operations.map(({ id, summary }) => ({ href: operationHref(id), title: summary })),
  })),
];

export default async function DocsLayout({ children }: { children: ReactNode }) {
  const jar = await cookies();
  const kept = keptLanguage((name) => jar.get(name)?.value, sampleCookie) ?? '';
  return (
    <>
      <SiteHeader current="docs" signedIn={await isSignedIn()} />
      <DocsShell guides={guides} reference={reference}>
        <SampleLanguages names={sampleLanguages} initial={kept in sampleLanguages ? kept : 'curl'}>
          {children}
        </SampleLanguages>
      </DocsShell>
      <SiteFooter environment={env().APP_ENV} />
    </>
  );
}
