'use client';

import { failureWords, languageOfFailure } from '@/components/site/failure-words';
import { NoticePage } from '@/components/site/notice-page';
import { Button, ButtonLink } from '@/components/ui/button';

interface ErrorPageProps {
  error: unknown;
  retry: () => void;
}

export default function ErrorPage({ error, retry }: ErrorPageProps) {
  const t = failureWords[languageOfFailure()];
  const digest = error instanceof Error && 'digest' in error ? String(error.digest) : null;
  const [beforeCode, afterCode] = t.code.split('{code}');
  return (
    <NoticePage
      title={t.title}
      actions={
        <>
          <Button onClick={retry}>{t.tryAgain}</Button>
          <ButtonLink href="/" variant="secondary">
            {t.toStart}
          </ButtonLink>
        </>
      }
    >
      <p>{t.text}</p>
      {digest ? (
        <p className="mt-3 text-base">
          {beforeCode}
          <code className="font-mono text-ink">{digest}</code>
          {afterCode}
        </p>
      ) : null}
    </NoticePage>
  );
}
