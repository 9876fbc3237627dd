'use client';

import { NoticePage } from '@/components/site/notice-page';
import { Button, ButtonLink } from '@/components/ui/button';

interface ErrorPageProps {
  error: unknown;
  retry: () => void;
}

export default function ErrorPage({ error, retry }: ErrorPageProps) {
  const digest = error instanceof Error && 'digest' in error ? String(error.digest) : null;
  return (
    <NoticePage
      title="Something went wrong"
      actions={
        <>
          <Button onClick={retry}>Try again</Button>
          <ButtonLink href="/" variant="secondary">
            Go to the start page
          </ButtonLink>
        </>
      }
    >
      <p>The problem is on our side. Nothing that was saved is lost. Try again in a moment.</p>
      {digest ? (
        <p className="mt-3 text-base">
          If you report this, include the code <code className="font-mono text-ink">{digest}</code>.
        </p>
      ) : null}
    </NoticePage>
  );
}
