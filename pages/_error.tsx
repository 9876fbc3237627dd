import Head from 'next/head';

/** Replaces a page that failed on the server. */
export default function ErrorPage() {
  return (
    <main className="m-auto max-w-md px-5 py-16">
      <Head>
        <title>Something went wrong</title>
      </Head>
      <h1 className="text-3xl font-semibold tracking-[-0.03em]">Something went wrong</h1>
      <p className="mt-4 text-lg leading-relaxed text-muted">
        The problem is on our side. Nothing that was ordered is lost. Please reload the page in a moment.
      </p>
    </main>
  );
}
