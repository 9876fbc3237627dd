import type { Metadata } from 'next';
import { NextIntlClientProvider } from 'next-intl';
import type { ReactNode } from 'react';
import { LanguageChoice } from '@/components/sign-in/language-choice';
import { Wordmark } from '@/components/site/wordmark';

export const metadata: Metadata = { robots: { index: false } };

export default function SignInLayout({ children }: { children: ReactNode }) {
  return (
    <NextIntlClientProvider>
      <header className="mx-auto flex h-16 w-full max-w-7xl items-center justify-between gap-4 px-5 sm:px-8">
        <Wordmark />
        <LanguageChoice />
      </header>
      <main
        id="content"
        className="relative isolate flex flex-1 justify-center overflow-hidden px-5 pt-8 pb-24 sm:pt-16"
      >
        <div className="tablecloth absolute inset-0 -z-10" aria-hidden="true" />
        {children}
      </main>
    </NextIntlClientProvider>
  );
}
