import type { Metadata } from 'next';
import { NoticePage } from '@/components/site/notice-page';
import { ButtonLink } from '@/components/ui/button';

export const metadata: Metadata = { title: 'Page not found' };

export default function NotFound() {
  return (
    <NoticePage
      title="Page not found"
      actions={
        <>
          <ButtonLink href="/">Go to the start page</ButtonLink>
          <ButtonLink href="/docs" variant="secondary">
            API reference
          </ButtonLink>
        </>
      }
    >
      <p>This page does not exist or has moved. Check the address, or start again from here.</p>
    </NoticePage>
  );
}
