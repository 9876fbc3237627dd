'use client';

import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { Badge } from '../../ui/badge';
import { Button } from '../../ui/button';
import { DataTable } from '../../ui/data-table';
import { PageHeader } from '../../ui/page-header';
import { Section } from '../../ui/section';
import { Disputes } from '../disputes/disputes';
import { useIsRole } from '../office/office';
import { useTRPC } from '../office/trpc';
import { Waiting } from '../state/loaded';
import { BillLines } from './bill-lines';
import { RefundPartDialog } from './refund-part-dialog';
import { useTransactionColumns } from './transaction-columns';
import { TransactionEntries } from './transaction-entries';
import { TransactionFacts } from './transaction-facts';
import { TransactionNotice } from './transaction-notice';
import { statusTones, type Transaction, type TransactionDetail, useTransactionWords } from './transaction-words';
import { VoidDialog } from './void-dialog';

/** One transaction and everything related to it. */
export function TransactionScreen({ uid }: { uid: string }) {
  const t = useTranslations('transactions');
  const trpc = useTRPC();
  const { data, error, refetch } = useQuery(trpc.transactions.get.queryOptions({ uid }));
  const back = { href: '/transactions', label: t('title') };
  if (data) return <OneTransaction one={data} back={back} />;
  return (
    <>
      <PageHeader title={t('transaction')} back={back} />
      <Waiting error={error} refetch={refetch} />
    </>
  );
}

function OneTransaction({ one, back }: { one: TransactionDetail; back: { href: string; label: string } }) {
  const t = useTranslations('transactions');
  const words = useTransactionWords();
  const tCounter = useTranslations('counter');
  const [task, setTask] = useState<'void' | 'refund' | null>(null);
  const isManager = useIsRole('owner', 'manager');
  const canVoid = isManager && one.isVoidable;
  return (
    <>
      <PageHeader
        back={back}
        title={words.type(one.type)}
        badge={<Badge tone={statusTones[one.status]}>{t(`statuses.${one.status}`)}</Badge>}
        description={one.transactionId ? <span className="font-mono text-sm">{one.transactionId}</span> : undefined}
        actions={
          <>
            {one.maxRefund !== null ? (
              <Button variant="secondary" size="small" onClick={() => setTask('refund')}>
                {tCounter('refundPart')}
              </Button>
            ) : null}
            {canVoid ? (
              <Button variant="danger" size="small" onClick={() => setTask('void')}>
                {t('void')}
              </Button>
            ) : null}
          </>
        }
      />
      <div className="flex flex-col gap-5">
        <TransactionNotice one={one} />
        {one.type === 'topUp' || one.type === 'adjustment' ? <Disputes of={{ transactionUid: one.uid }} /> : null}
        <TransactionFacts one={one} />
        {one.sale ? (
          <BillLines
            title={t('saleTitle')}
            bill={one.sale}
            below={one.sale.payments.map(({ method, amount }) => ({ term: t('paidWith', { method }), amount }))}
          />
        ) : null}
        {one.entries.length > 0 ? <TransactionEntries one={one} /> : null}
        <Related title={t('voidedToo')} rows={one.void?.others ?? []} />
        <Related title={t('sameBill')} rows={one.sameBill} />
        {one.answer ? (
          <Section title={t('printed')}>
            <pre className="w-fit max-w-full rounded-lg bg-tint px-3 py-3 font-mono text-[0.625rem]/4.5 whitespace-pre-wrap wrap-anywhere sm:px-4 sm:text-xs/5">
              {one.answer.printText.trimEnd()}
            </pre>
          </Section>
        ) : null}
      </div>
      {task === 'void' ? <VoidDialog uids={[one.uid]} onVoided={() => {}} onClose={() => setTask(null)} /> : null}
      {task === 'refund' ? <RefundPartDialog one={one} onClose={() => setTask(null)} /> : null}
    </>
  );
}

function Related({ title, rows }: { title: string; rows: Transaction[] }) {
  const columns = useTransactionColumns();
  if (rows.length === 0) return null;
  return (
    <Section title={title}>
      <DataTable
        caption={title}
        columns={columns}
        rows={rows}
        rowKey={({ uid }) => uid}
        rowHref={({ uid }) => `/transactions/${uid}`}
      />
    </Section>
  );
}
