'use client';

import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { displayName } from '@/server/domain/identity/rules';
import { Badge } from '../../ui/badge';
import { Link } from '../../ui/link';
import { PageHeader } from '../../ui/page-header';
import { Notes } from '../counter/notes';
import { Disputes } from '../disputes/disputes';
import { useTRPC } from '../office/trpc';
import { useFormat } from '../state/format';
import { Waiting } from '../state/loaded';
import { CustomerActions } from './customer-actions';
import { History } from './history';
import { Holdings } from './holdings';
import { MergedActions } from './merged-actions';
import { Profile } from './profile';
import type { CustomerDetail } from './types';

/** A customer's contact details, balances and activity. */
export function CustomerScreen({ customerId }: { customerId: string }) {
  const t = useTranslations('customers');
  const { data, error, refetch } = useQuery(useTRPC().customers.get.queryOptions({ customerId }));
  const back = { href: '/customers', label: t('title') };
  if (!data) {
    return (
      <>
        <PageHeader title={t('customer')} back={back} />
        <Waiting error={error} refetch={refetch} />
      </>
    );
  }
  const isClosed = data.erasedAt !== null || data.mergedInto !== null;
  return (
    <>
      <PageHeader
        title={displayName(data.customer)}
        back={back}
        badge={<State detail={data} />}
        actions={isClosed ? null : <CustomerActions detail={data} />}
      />
      <Notice detail={data} />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-5 lg:grid-cols-[20rem_minmax(0,1fr)] lg:grid-rows-[auto_1fr] lg:items-start">
        <div className="flex flex-col gap-5 lg:col-start-2">
          <Holdings detail={data} />
          <Disputes of={{ customerId }} />
        </div>
        <div className="flex flex-col gap-5 lg:col-start-1 lg:row-span-2 lg:row-start-1">
          <Profile detail={data} />
          {isClosed ? null : <Notes customerId={customerId} />}
        </div>
        <div className="min-w-0 lg:col-start-2">
          <History customerId={customerId} />
        </div>
      </div>
    </>
  );
}

function State({ detail: { blocked, erasedAt, mergedInto } }: { detail: CustomerDetail }) {
  const t = useTranslations('customers');
  if (erasedAt) return <Badge>{t('erased')}</Badge>;
  if (mergedInto) return <Badge>{t('merged')}</Badge>;
  return blocked ? <Badge tone="danger">{t('blocked')}</Badge> : null;
}

function Notice({ detail: { blocked, erasedAt, mergedInto, merged } }: { detail: CustomerDetail }) {
  const t = useTranslations('customers');
  const { dateTime } = useFormat();
  if (erasedAt) {
    return <p className="mb-5 rounded-2xl bg-tint px-5 py-4 text-sm">{t('erasedOn', { time: dateTime(erasedAt) })}</p>;
  }
  if (mergedInto) {
    return (
      <p className="mb-5 rounded-2xl bg-tint px-5 py-4 text-sm">
        {t.rich('mergedOn', {
          name: mergedInto.name,
          time: dateTime(mergedInto.at),
          link: (name) => <CustomerLink customerId={mergedInto.customerId}>{name}</CustomerLink>,
        })}
      </p>
    );
  }
  if (merged.length > 0 && !blocked) {
    return (
      <div className="mb-5 rounded-2xl bg-tint px-5 py-4 text-sm">
        <p>{t('mergedHere')}</p>
        <ul>
          {merged.map((one) => (
            <li key={one.customerId} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-1">
              <CustomerLink customerId={one.customerId}>
                {[one.name, one.phone, one.email].filter(Boolean).join(' · ')}
              </CustomerLink>
              <MergedActions merged={one} />
            </li>
          ))}
        </ul>
      </div>
    );
  }
  if (!blocked) return null;
  return (
    <div className="mb-5 rounded-2xl bg-danger-tint px-5 py-4 text-sm text-danger">
      <p className="font-medium">{t('blockedSince', { time: dateTime(blocked.at) })}</p>
      {blocked.reason ? <p>{t('blockedBy', { reason: blocked.reason, name: blocked.by ?? '' })}</p> : null}
    </div>
  );
}

const CustomerLink = ({ customerId, children }: { customerId: string; children: ReactNode }) => (
  <Link href={`/customers/${customerId}`} className="rounded font-medium underline underline-offset-4">
    {children}
  </Link>
);
