import { Inbox } from 'lucide-react';
import type { Metadata } from 'next';
import { headers } from 'next/headers';
import { notFound } from 'next/navigation';
import { getFormatter, getTranslations } from 'next-intl/server';
import { Wordmark } from '@/components/site/wordmark';
import { ButtonLink } from '@/components/ui/button';
import { EmptyState } from '@/components/ui/empty-state';
import { listSandboxMails } from '@/server/domain/mail';
import { env, hasSandboxInbox } from '@/server/environment/env';
import { getServices } from '@/server/environment/services';
import { printLetter } from '@/server/gateways/letters';
import { addressFromFrontDoor } from '@/server/limits/client-address';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('signIn'))('inboxTitle'), robots: { index: false } };
}

/** The machine's time zone, because the reader sits in front of it. */
const { timeZone } = Intl.DateTimeFormat().resolvedOptions();

export default async function SandboxInboxPage() {
  const client = addressFromFrontDoor((await headers()).get('x-forwarded-for'));
  if (!hasSandboxInbox(env(), client)) notFound();
  const t = await getTranslations('signIn');
  const format = await getFormatter();
  const mails = (await listSandboxMails(getServices())).map((mail) => ({ ...mail, printed: printLetter(mail.letter) }));
  return (
    <>
      <header className="mx-auto flex h-16 w-full max-w-3xl items-center px-5">
        <Wordmark />
      </header>
      <main id="content" className="mx-auto w-full max-w-3xl flex-1 px-5 pt-8 pb-24">
        <div className="mb-8 flex flex-wrap items-start justify-between gap-4">
          <div>
            <h1 className="text-3xl font-semibold tracking-[-0.025em]">{t('inboxTitle')}</h1>
            <p className="mt-2 leading-relaxed text-muted">{t('inboxLead')}</p>
          </div>
          <a href="/sandbox-inbox" className={refreshLook}>
            {t('inboxRefresh')}
          </a>
        </div>
        {mails.length === 0 ? (
          <EmptyState icon={Inbox} title={t('inboxEmptyTitle')}>
            {t('inboxEmpty')}
          </EmptyState>
        ) : (
          <ul className="flex flex-col gap-4">
            {mails.map(({ mailId, recipient, sentAt, letter, printed }) => (
              <li key={mailId} lang={letter.language} className="rounded-2xl border border-line bg-surface p-6">
                <p className="flex flex-wrap justify-between gap-x-6 text-sm text-muted">
                  <span className="wrap-anywhere">{t('inboxTo', { recipient })}</span>
                  <time dateTime={sentAt.toISOString()}>
                    {format.dateTime(sentAt, { dateStyle: 'medium', timeStyle: 'short', timeZone })}
                  </time>
                </p>
                <h2 className="mt-1 mb-4 text-lg font-semibold tracking-tight">{printed.subject}</h2>
                {printed.lines.map((line) => (
                  <p key={line} className="mt-3 leading-relaxed">
                    {line}
                  </p>
                ))}
                <ButtonLink href={printed.link.url} prefetch={false} className="mt-5">
                  {printed.link.label}
                </ButtonLink>
              </li>
            ))}
          </ul>
        )}
      </main>
    </>
  );
}

const refreshLook =
  'inline-flex min-h-9 items-center rounded-lg border border-edge bg-surface px-3.5 text-sm font-medium hover:border-ink';
