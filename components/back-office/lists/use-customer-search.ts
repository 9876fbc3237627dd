import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useIsRole } from '../office/office';
import { useTRPC } from '../office/trpc';

/** True if the text may be a complete phone number or e-mail address. */
const mayBeContact = (text: string) => text.includes('@') || text.replace(/\D/g, '').length >= 6;

/** Searches by phone number or e-mail address find only active customers. */
const active = { isErased: false, isMerged: false };

/** Searches customers by the beginning of the text; for cashiers, by a complete phone number or e-mail address. */
export function useCustomerSearch(search: string, { limit, enabled }: { limit: number; enabled: boolean }) {
  const trpc = useTRPC();
  const isManager = useIsRole('owner', 'manager');
  const listed = useQuery({
    ...trpc.customers.list.queryOptions({ search, limit }),
    enabled: enabled && isManager,
    placeholderData: keepPreviousData,
  });
  const exact = useQuery(
    trpc.customers.find.queryOptions(
      { phoneOrEmail: search },
      { enabled: enabled && !isManager && mayBeContact(search), gcTime: 0 },
    ),
  );
  const found = isManager ? (listed.data?.items ?? []) : exact.data ? [{ ...exact.data, ...active }] : [];
  return { found: enabled ? found : [], isFetching: listed.isFetching || exact.isFetching, isExact: !isManager };
}

export type FoundCustomer = ReturnType<typeof useCustomerSearch>['found'][number];
