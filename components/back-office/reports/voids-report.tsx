import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { inferRouterOutputs } from '@trpc/server';
import { Undo2 } from 'lucide-react';
import { useTranslations } from 'next-intl';
import type { ReportInput } from '@/server/domain/reports';
import type { StaffRouter } from '@/server/trpc/staff/router';
import { Badge } from '../../ui/badge';
import type { Column } from '../../ui/data-table';
import { EmptyState } from '../../ui/empty-state';
import { Section } from '../../ui/section';
import { DataList } from '../lists/data-list';
import { useListState } from '../lists/list-state';
import { useTRPC } from '../office/trpc';
import { useFormat } from '../state/format';
import { Loaded } from '../state/loaded';
import { FigureTable } from './figure-table';

type Outputs = inferRouterOutputs<StaffRouter>['reports'];
type Listed = Outputs['voids']['items'][number];

/** What was voided, refunded or paid out, and by whom. */
export function VoidsReport({ from, to, storeId }: ReportInput) {
  const t = useTranslations('reports');
  const input = { from, to, storeId };
  const { page, setPage } = useListState({});
  const trpc = useTRPC();
  const query = useQuery({
    ...trpc.reports.voids.queryOptions({ ...input, ...page }),
    placeholderData: keepPreviousData,
  });
  return (
    <div className="flex flex-col gap-5">
      <ByPerson {...input} />
      <Section title={t('voids.tab')} description={t('voids.hint')}>
        <DataList
          caption={t('voids.tab')}
          query={query}
          columns={useColumns()}
          rowKey={({ uid, kind }) => `${uid} ${kind}`}
          rowHref={({ uid }) => `/transactions/${uid}`}
          empty={
            <EmptyState icon={Undo2} title={t('voids.noneTitle')}>
              {t('voids.noneText')}
            </EmptyState>
          }
          isFiltered={false}
          onPage={setPage}
        />
      </Section>
    </div>
  );
}

function ByPerson(input: ReportInput) {
  const t = useTranslations('reports');
  const { money, number } = useFormat();
  const actorName = useActorName();
  const query = useQuery({
    ...useTRPC().reports.voidsByActor.queryOptions(input),
    placeholderData: keepPreviousData,
  });
  if (query.data?.length === 0) return null;
  return (
    <Section title={t('voids.byPerson')}>
      <Loaded query={query} height="h-32">
        {(actors) => (
          <FigureTable
            cutTo="rows"
            caption={t('voids.byPerson')}
            rows={actors}
            rowKey={({ kind, id }) => `${kind} ${id}`}
            columns={[
              {
                id: 'person',
                header: t('voids.person'),
                cell: (actor) => (
                  <span className="inline-flex flex-wrap items-center gap-2">
                    {actorName(actor)}
                    {actor.standsOut ? <Badge tone="caution">{t('voids.standsOut')}</Badge> : null}
                  </span>
                ),
              },
              { id: 'count', header: t('voids.count'), cell: ({ count }) => number(count) },
              { id: 'amount', header: t('voids.amount'), cell: ({ amount }) => money(amount) },
            ]}
          />
        )}
      </Loaded>
    </Section>
  );
}

function useActorName() {
  const t = useTranslations('reports');
  return ({ kind, name }: Listed['by']) =>
    kind === 'diner' ? t('voids.diner') : kind === 'refund' ? t('voids.refund') : (name ?? '');
}

function useColumns(): Column<Listed>[] {
  const t = useTranslations('reports');
  const words = useTranslations('transactions');
  const { money, dateTime, date } = useFormat();
  const actorName = useActorName();
  return [
    {
      id: 'what',
      header: t('voids.what'),
      cell: ({ kind, type, customer }) => (
        <>
          {kind === 'cashOut' ? words('types.cashOut') : `${words(`types.${type}`)}: ${t(`voids.kinds.${kind}`)}`}
          {customer ? <span className="block text-muted">{customer.name}</span> : null}
        </>
      ),
    },
    {
      id: 'amount',
      narrow: 'aside',
      align: 'end',
      header: t('voids.amount'),
      cell: ({ type, amount }) => (type === 'redeemPoints' ? words('points', { count: amount }) : money(amount)),
    },
    { id: 'by', header: t('voids.by'), cell: ({ by }) => actorName(by) },
    {
      id: 'reason',
      header: t('voids.reason'),
      cell: ({ reason, isCorrection }) =>
        isCorrection ? <span className="text-muted">{t('voids.correction')}</span> : reason,
    },
    { id: 'at', header: t('voids.at'), cell: ({ at }) => dateTime(at) },
    { id: 'made', header: t('voids.made'), cell: ({ madeAt }) => date(madeAt) },
    { id: 'store', header: t('store'), wideOnly: true, cell: ({ store }) => store?.name ?? t('online') },
  ];
}
