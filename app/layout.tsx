import type { Metadata, Viewport } from 'next';
import localFont from 'next/font/local';
import { connection } from 'next/server';
import type { ReactNode } from 'react';
import { productName } from '@/components/product';
import { translatorFor } from '@/server/intl/translator';
import { documentLanguage, isDinerPage } from './document';
import './globals.css';

// Not preloaded, unlike geist's own modules: a diner's phone uses the system's font, and these are half of its page.
const sans = localFont({
  src: '../node_modules/geist/dist/fonts/geist-sans/Geist-Variable.woff2',
  variable: '--font-geist-sans',
  weight: '100 900',
  preload: false,
});
const mono = localFont({
  src: '../node_modules/geist/dist/fonts/geist-mono/GeistMono-Variable.woff2',
  variable: '--font-geist-mono',
  weight: '100 900',
  adjustFontFallback: false,
  preload: false,
});

export const metadata: Metadata = {
  title: { default: `${productName}: loyalty and table ordering`, template: `%s · ${productName}` },
  description: 'Stored value, vouchers, points and QR ordering for restaurant and shop groups.',
};

export const viewport: Viewport = {
  colorScheme: 'light dark',
  themeColor: [
    { media: '(prefers-color-scheme: light)', color: '#f8faf8' },
    { media: '(prefers-color-scheme: dark)', color: '#0b130f' },
  ],
};

export default async function RootLayout({ children }: { children: ReactNode }) {
  // A page rendered at build time has no nonce, and the browser would block its scripts.
  await connection();
  const language = await documentLanguage();
  // Said by the first byte: a page whose rest comes late would ask for the fonts before it.
  const face = (await isDinerPage()) ? 'diner' : 'office';
  return (
    <html lang={language} data-face={face} className={`${sans.variable} ${mono.variable}`}>
      <body className="flex min-h-dvh flex-col">
        <a
          href="#content"
          className="sr-only z-50 rounded-md bg-accent px-4 py-2 text-on-accent focus:not-sr-only focus:fixed focus:top-3 focus:left-3"
        >
          {translatorFor(language)('shell.skipToContent')}
        </a>
        {children}
      </body>
    </html>
  );
}
