'use client';

import { languageOfFailure } from '@/components/site/failure-words';
import ErrorPage from './error';
import './globals.css';

/** Replaces the root layout when that itself fails; fonts fall back to the system's. */
export default function GlobalError(props: { error: unknown; retry: () => void }) {
  return (
    <html lang={languageOfFailure()}>
      <body className="flex min-h-dvh flex-col">
        <ErrorPage {...props} />
      </body>
    </html>
  );
}
