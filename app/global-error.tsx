'use client';

import ErrorPage from './error';
import './globals.css';

/** Replaces the root layout when that itself fails; fonts fall back to the system's. */
export default function GlobalError(props: { error: unknown; retry: () => void }) {
  return (
    <html lang="en">
      <body className="flex min-h-dvh flex-col">
        <ErrorPage {...props} />
      </body>
    </html>
  );
}
