import { z } from 'zod';
import { importFields } from '@/db/kinds/lists';
import { language } from '@/server/domain/access';
import {
  type ImportField,
  importMapping,
  listProblems,
  oneImportInput,
  rehearseImport,
} from '@/server/domain/customer-imports';
import { customerFilter, listCustomers } from '@/server/domain/customers';
import type { Profile } from '@/server/domain/identity';
import { iteratePages } from '@/server/domain/kernel/page';
import { translatorFor } from '@/server/intl/translator';
import type { Export } from './export';
import { type Columns, dayCell, moneyCell, toCsv } from './write';

const isOn = z.literal('true').transform(() => true as const);
const customersQuery = customerFilter.strip().extend({ isBlocked: isOn.optional(), holdsValue: isOn.optional() });

const profileCells = {
  givenName: ({ givenName }) => givenName,
  lastName: ({ lastName }) => lastName,
  phone: ({ phone }) => phone,
  email: ({ email }) => email,
  birthday: ({ birthday }) => dayCell(birthday),
  tags: ({ tags }) => tags.join('; '),
} satisfies { [Column in keyof Profile]: Columns<Profile>[string] };

/** The customers, filtered as on the screen. */
export const customersExport: Export = {
  roles: ['owner', 'manager'],
  readsReplica: true,
  isSensitive: true,
  open: (ctx, query, write = toCsv) => {
    const filter = { ...customersQuery.parse(query), sort: 'joined', descending: false } as const;
    return write(
      {
        customerId: ({ customerId }) => customerId,
        ...profileCells,
        joinedAt: ({ joinedAt }) => joinedAt,
        storedValue: ({ storedValue }) => moneyCell(storedValue, ctx.merchant.currency),
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

const fieldCells = Object.fromEntries(
  importFields.map((field) => [
    field,
    ({ values }: { values: Partial<Record<ImportField, string>> }) => values[field] ?? '',
  ]),
);

/** A file's skipped rows with their reasons. Once fixed, the file can be imported again as it is. */
export const importProblemsExport: Export = {
  roles: ['owner', 'manager'],
  isOfAllStores: true,
  open: (ctx, query, write = toCsv) => {
    const { importId, language } = problemsQuery.parse(query);
    const t = translatorFor(language);
    return write(
      {
        row: ({ rowNumber }) => rowNumber,
        problem: ({ problems }) => problems.map((problem) => t(`customers.problemNames.${problem}`)).join('; '),
        ...fieldCells,
      },
      iteratePages((page) => listProblems(ctx, { importId, ...page })),
    );
  },
};

const json = z.string().transform((text, { addIssue }): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    addIssue({ code: 'custom' });
  }
});
const rehearsalQuery = oneImportInput.strip().extend({ language, mapping: json.pipe(importMapping) });

/** What the import of a file would do with each of its rows, and why. */
export const importRehearsalExport: Export = {
  roles: ['owner', 'manager'],
  isOfAllStores: true,
  open: (ctx, query, write = toCsv) => {
    const { language, ...input } = rehearsalQuery.parse(query);
    const t = translatorFor(language);
    return write(
      {
        row: ({ rowNumber }) => rowNumber,
        result: ({ outcome }) => t(`customers.rowOutcomes.${outcome}`),
        problem: ({ problems }) => problems.map((problem) => t(`customers.problemNames.${problem}`)).join('; '),
        ...fieldCells,
      },
      rehearseImport(ctx, input),
    );
  },
};
