import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Metadata } from 'next';
import { Guide } from '@/components/docs/guide';
import { SiteFooter } from '@/components/site/site-footer';
import { SiteHeader } from '@/components/site/site-header';
import { isSignedIn } from '@/server/auth/session';
import { env } from '@/server/process/env';

export const metadata: Metadata = {
  title: 'Integration guide',
  description: 'One bill from start to end, retries, errors, limits and the PIN at a point of sale.',
};

const text = readFileSync(join(process.cwd(), 'docs/integration.md'), 'utf8');

export default async function GuidePage() {
  return (
    <>
      <SiteHeader current="docs" signedIn={await isSignedIn()} />
      <main id="content" className="mx-auto w-full max-w-7xl flex-1 px-5 pt-10 pb-24 sm:px-8">
        <Guide text={text} />
      </main>
      <SiteFooter environment={env().APP_ENV} />
    </>
  );
}
