import type { Metadata } from 'next';
import { ApiReference } from '@/components/docs/console/api-reference';
import { SiteFooter } from '@/components/site/site-footer';
import { SiteHeader } from '@/components/site/site-header';
import { isSignedIn } from '@/server/auth/session';
import { env } from '@/server/environment/env';
import '@/components/docs/console/console.css';

export const metadata: Metadata = {
  title: 'API console',
  description: 'Sends every request of the API from the page, with your key.',
};

export default async function DocsPage() {
  return (
    <>
      <SiteHeader current="docs" signedIn={await isSignedIn()} />
      <main id="content" className="mx-auto w-full max-w-7xl flex-1 px-5 pt-10 pb-24 sm:px-8">
        <noscript>
          <p className="mb-8">
            The console needs JavaScript. The <a href="/docs/reference">API reference</a> does not.
          </p>
        </noscript>
        <ApiReference documentUrl="/api/openapi.json" />
      </main>
      <SiteFooter environment={env().APP_ENV} />
    </>
  );
}
