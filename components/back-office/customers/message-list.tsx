'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { MessageSquareText } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { EmptyState } from '../../ui/empty-state';
import { DataList } from '../lists/data-list';
import { useMessageColumns } from '../messages/message-columns';
import { useTRPC } from '../office/trpc';
import { usePages } from './use-pages';

export function CustomerMessages({ customerId }: { customerId: string }) {
  const t = useTranslations('customers');
  const { page, setPage } = usePages();
  const columns = useMessageColumns().filter(({ id }) => id !== 'customer');
  const query = useQuery({
    ...useTRPC().messages.list.queryOptions({ customerId, ...page }),
    placeholderData: keepPreviousData,
  });
  return (
    <DataList
      caption={t('messages')}
      query={query}
      columns={columns}
      rowKey={({ messageId }) => messageId}
      empty={
        <EmptyState icon={MessageSquareText} title={t('noMessagesTitle')}>
          {t('noMessagesText')}
        </EmptyState>
      }
      isFiltered={false}
      onPage={setPage}
    />
  );
}
