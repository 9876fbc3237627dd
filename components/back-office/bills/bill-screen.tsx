'use client';

import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { Facts } from '../../ui/facts';
import { Link } from '../../ui/link';
import { PageHeader } from '../../ui/page-header';
import { Disputes } from '../disputes/disputes';
import { usePlace } from '../office/place';
import { useTRPC } from '../office/trpc';
import { useFormat } from '../state/format';
import { Waiting } from '../state/loaded';
import { BillLines } from '../transactions/bill-lines';
import { BillHistory } from './bill-history';
import { BillPayments } from './bill-payments';
import { BillRedemptions } from './bill-redemptions';
import { BillState } from './bill-state';
import type { BillStory } from './types';

/** A bill, and everything that happened on it. */
export function BillScreen({ billUid }: { billUid: string }) {
  const t = useTranslations('bills');
  const trpc = useTRPC();
  const { data, error, refetch } = useQuery(trpc.bills.get.queryOptions({ billUid }));
  if (data) return <OneBill bill={data} />;
  return (
    <>
      <PageHeader title={t('title')} back={{ href: '/bills', label: t('title') }} />
      <Waiting error={error} refetch={refetch} />
    </>
  );
}

function OneBill({ bill }: { bill: BillStory }) {
  const t = useTranslations('bills');
  const tCodes = useTranslations('qrCodes');
  const place = usePlace();
  const trpc = useTRPC();
  const { data: stores } = useQuery(trpc.stores.list.queryOptions());
  const { redeemed, paid, held, due, tips } = bill;
  const store = stores?.stores.find(({ storeId }) => storeId === bill.storeId)?.name;
  const number = bill.table === null ? undefined : tCodes('billName', { billId: bill.billId });
  const below = [
    { term: t('rounding'), amount: bill.salesRounding },
    { term: t('redeemed'), amount: -redeemed },
    { term: t('paid'), amount: -paid },
    { term: t('paidAtTill'), amount: -bill.takenAtTill },
    { term: t('settledAtTill'), amount: -bill.settledAtTill },
    { term: t('notSettled'), amount: -bill.unsettled },
    { term: t('overpaidSum'), amount: bill.overpaid },
    { term: t('due'), amount: due, isStrong: true },
    { term: t('held'), amount: held },
    { term: t('tips'), amount: tips },
  ].filter(({ amount, isStrong }) => isStrong || amount !== 0);
  return (
    <>
      <PageHeader
        back={{ href: `/bills?store=${bill.storeId}`, label: t('title') }}
        title={place(bill)}
        badge={<BillState bill={bill} />}
        description={[number, store].filter(Boolean).join(' · ')}
      />
      <div className="grid items-start gap-5 lg:grid-cols-[1fr_22rem]">
        <div className="flex min-w-0 flex-col gap-5">
          <Disputes of={{ billUid: bill.billUid }} />
          <BillLines title={t('bill')} bill={bill} below={below} />
          <BillPayments {...bill} />
          <BillRedemptions redemptions={bill.redemptions} />
        </div>
        <div className="flex min-w-0 flex-col gap-5">
          <BillFacts bill={bill} />
          <BillHistory changes={bill.changes} />
        </div>
      </div>
    </>
  );
}

function BillFacts({ bill: { openedAt, closedAt, reopenedAt, code } }: { bill: BillStory }) {
  const t = useTranslations('bills');
  const { dateTime, number } = useFormat();
  return (
    <Facts
      items={[
        { term: t('since'), value: dateTime(openedAt) },
        ...(closedAt === null ? [] : [{ term: t('closedAt'), value: dateTime(closedAt) }]),
        ...(reopenedAt === null ? [] : [{ term: t('reopenedAt'), value: dateTime(reopenedAt) }]),
        ...(code?.guests ? [{ term: t('guests'), value: number(code.guests) }] : []),
        ...(code
          ? [
              {
                term: t('code'),
                value: (
                  <Link href={`/qr-codes/${code.qrCodeId}`} className="underline underline-offset-2">
                    {t('openCode')}
                  </Link>
                ),
              },
            ]
          : []),
      ]}
    />
  );
}
