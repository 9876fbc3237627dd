import type { AppProps } from 'next/app';
import '@/components/diner/ordering/table.css';

/** For the diners' pages, which must be small. Everything else is under `app/`. */
export default function App({ Component, pageProps }: AppProps) {
  return (
    <div className="flex min-h-dvh flex-col">
      <Component {...pageProps} />
    </div>
  );
}
