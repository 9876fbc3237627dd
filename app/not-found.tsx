import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { NoticePage } from '@/components/site/notice-page';
import { ButtonLink } from '@/components/ui/button';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('shell'))('noPageTitle') };
}

export default async function NotFound() {
  const t = await getTranslations('shell');
  return (
    <NoticePage
      title={t('noPageTitle')}
      actions={
        <>
          <ButtonLink href="/">{t('toStart')}</ButtonLink>
          <ButtonLink href="/docs" variant="secondary">
            {t('apiDocumentation')}
          </ButtonLink>
        </>
      }
    >
      <p>{t('noPageText')}</p>
    </NoticePage>
  );
}
