import Head from 'next/head';

/** Replaces a page that failed on the server. */
export default function ErrorPage() {
  return (
    <main className="m-auto max-w-md px-5 py-16">
      <Head>
        <title>That did not come through</title>
      </Head>
      <h1 className="text-3xl font-semibold tracking-[-0.03em]">That did not come through</h1>
      <p className="mt-4 text-lg leading-relaxed text-muted">
        Something failed on our side. Nothing that was ordered is lost. Please load the page again in a moment.
      </p>
    </main>
  );
}
