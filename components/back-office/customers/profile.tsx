import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { Section } from '../../ui/section';
import { useFormat } from '../state/format';
import { MessagesSwitch } from './messages-switch';
import type { CustomerDetail } from './types';
import { useProfileItems } from './use-profile-items';

/** The customer's contact details and visits. */
export function Profile({ detail }: { detail: CustomerDetail }) {
  const t = useTranslations('customers');
  const { money, date, dateTime } = useFormat();
  const profileItems = useProfileItems();
  const { customer, visits, pinLockedUntil, consents, wantsMessages } = detail;
  const { joinedAt, hasPin } = customer;
  const pin = pinLockedUntil ? t('pinLocked', { time: dateTime(pinLockedUntil) }) : hasPin ? t('pinSet') : t('pinNone');
  const items: { term: string; value: ReactNode }[] = [
    ...profileItems(customer).map(({ term, text, href }) => ({
      term,
      value: text && href ? <Contact href={href} text={text} /> : text,
    })),
    { term: t('joined'), value: date(joinedAt) },
    { term: t('privacyAccepted'), value: consents.privacyAt ? dateTime(consents.privacyAt) : null },
    {
      term: t('messagesAgreed'),
      value: consents.messagesAt ? dateTime(consents.messagesAt) : wantsMessages ? t('messagesUnasked') : null,
    },
    { term: t('pin'), value: pin },
    { term: t('visits'), value: t('visitCount', { count: visits.count, more: String(visits.isMore) }) },
    { term: t('spent'), value: visits.count > 0 ? money(visits.spent) : null },
    { term: t('lastVisit'), value: visits.lastAt ? date(visits.lastAt) : t('neverCame') },
  ];
  return (
    <Section title={t('who')}>
      <dl className="-mb-2 text-sm">
        {items.map(({ term, value }) => (
          <div key={term} className="flex items-baseline justify-between gap-4 border-t border-line py-2.5">
            <dt className="shrink-0 text-muted">{term}</dt>
            <dd className="min-w-0 text-right font-medium wrap-anywhere">{value ?? '–'}</dd>
          </div>
        ))}
      </dl>
      {detail.erasedAt || detail.mergedInto ? null : <MessagesSwitch detail={detail} />}
    </Section>
  );
}

function Contact({ href, text }: { href: string; text: string }) {
  return (
    <a href={href} className="rounded underline-offset-4 hover:underline">
      {text}
    </a>
  );
}
