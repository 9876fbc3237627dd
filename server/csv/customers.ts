import { z } from 'zod';
import { language } from '@/server/domain/access';
import { listProblems, oneImportInput } from '@/server/domain/customer-imports';
import { customerFilter, listCustomers } from '@/server/domain/customers';
import { toMajorUnits } from '@/server/domain/kernel/money';
import { iteratePages } from '@/server/domain/kernel/page';
import { translatorFor } from '@/server/intl/translator';
import type { Export } from './export';
import { toCsv } from './write';

const isOn = z.literal('true').transform(() => true as const);
const customersQuery = customerFilter.strip().extend({ isBlocked: isOn.optional(), holdsValue: isOn.optional() });

/** The customers, filtered as on the screen. */
export const customersExport: Export = {
  roles: ['owner', 'manager'],
  readsReplica: true,
  isSensitive: true,
  open: (ctx, query) => {
    const filter = { ...customersQuery.parse(query), sort: 'joined', descending: false } as const;
    return toCsv(
      {
        customerId: ({ customerId }) => customerId,
        givenName: ({ givenName }) => givenName,
        lastName: ({ lastName }) => lastName,
        phone: ({ phone }) => phone,
        email: ({ email }) => email,
        joinedAt: ({ joinedAt }) => joinedAt.toISOString(),
        storedValue: ({ storedValue }) => toMajorUnits(storedValue, ctx.merchant.currency),
        currency: () => ctx.merchant.currency,
        points: ({ points }) => points,
        blocked: ({ isBlocked, isMerged }) => (isBlocked && !isMerged ? 'yes' : ''),
        merged: ({ isMerged }) => (isMerged ? 'yes' : ''),
      },
      iteratePages((page) => listCustomers(ctx, { ...filter, ...page })),
    );
  },
};

const problemsQuery = oneImportInput.strip().extend({ language });

/** A file's skipped rows with their reasons. Once fixed, they can be imported as they are. */
export const importProblemsExport: Export = {
  roles: ['owner', 'manager'],
  isOfAllStores: true,
  open: (ctx, query) => {
    const { importId, language } = problemsQuery.parse(query);
    const t = translatorFor(language);
    return toCsv(
      {
        row: ({ rowNumber }) => rowNumber,
        problem: ({ problems }) => problems.map((problem) => t(`customers.problemNames.${problem}`)).join('; '),
        givenName: ({ values }) => values.givenName ?? '',
        lastName: ({ values }) => values.lastName ?? '',
        phone: ({ values }) => values.phone ?? '',
        email: ({ values }) => values.email ?? '',
        birthday: ({ values }) => values.birthday ?? '',
        principal: ({ values }) => values.principal ?? '',
        bonus: ({ values }) => values.bonus ?? '',
        points: ({ values }) => values.points ?? '',
        expiresOn: ({ values }) => values.expiresOn ?? '',
      },
      iteratePages((page) => listProblems(ctx, { importId, ...page })),
    );
  },
};
