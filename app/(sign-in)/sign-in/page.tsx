import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { SignInForm } from '@/components/sign-in/sign-in-form';
import { Wordmark } from '@/components/site/mark';
import { callbackPath } from '@/server/auth/callback-path';
import { isSignedIn } from '@/server/auth/session';
import { env } from '@/server/env';

export const metadata: Metadata = { title: 'Sign in' };

interface SignInPageProps {
  searchParams: Promise<{ callbackUrl?: string | string[] }>;
}

export default async function SignInPage({ searchParams }: SignInPageProps) {
  const path = callbackPath((await searchParams).callbackUrl, env().PUBLIC_ORIGIN);
  if (await isSignedIn()) redirect(path);
  return (
    <>
      <header className="mx-auto flex h-16 w-full max-w-7xl items-center px-5 sm:px-8">
        <Wordmark />
      </header>
      <main
        id="content"
        className="relative isolate flex flex-1 justify-center overflow-hidden px-5 pt-8 pb-24 sm:pt-16"
      >
        <div className="tablecloth absolute inset-0 -z-10" aria-hidden="true" />
        <div className="w-full max-w-md self-start sm:rounded-2xl sm:border sm:border-line sm:bg-surface sm:p-10">
          <h1 className="text-3xl font-semibold tracking-[-0.025em]">Sign in to your back office</h1>
          <p className="mt-3 mb-8 leading-relaxed text-muted">
            Use the e-mail address and password of your staff account.
          </p>
          <SignInForm callbackPath={path} />
          <p className="mt-8 border-t border-line pt-6 text-sm leading-relaxed text-muted">
            Connecting a point of sale?{' '}
            <a
              href="/docs"
              className="font-medium text-ink underline decoration-edge underline-offset-4 hover:decoration-ink"
            >
              Read the API reference
            </a>
            ; it needs a key, not a sign-in.
          </p>
        </div>
      </main>
    </>
  );
}
