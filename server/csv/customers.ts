import { z } from 'zod';
import { minorDigits } from '@/server/domain/core/money';
import { exportProblems } from '@/server/domain/customer-imports/imports';
import { type ImportProblem, oneImportInput } from '@/server/domain/customer-imports/schemas';
import { exportCustomers } from '@/server/domain/customers/list';
import { customerFilter } from '@/server/domain/customers/schemas';
import type { Export } from './exports';
import { toCsv } from './write';

const isOn = z.literal('true').transform(() => true as const);
const filter = customerFilter.strip().extend({ isBlocked: isOn.optional(), holdsValue: isOn.optional() });

/** The customers, as the screen is filtered. */
export const customersExport: Export = {
  roles: ['owner', 'manager'],
  open: (ctx, query) =>
    toCsv(
      {
        customerId: ({ customerId }) => customerId,
        givenName: ({ givenName }) => givenName,
        lastName: ({ lastName }) => lastName,
        phone: ({ phone }) => phone,
        email: ({ email }) => email,
        joinedAt: ({ joinedAt }) => joinedAt.toISOString(),
        storedValue: ({ storedValue }) => storedValue / 10 ** minorDigits(ctx.merchant.currency),
        currency: () => ctx.merchant.currency,
        points: ({ points }) => points,
        blocked: ({ isBlocked }) => (isBlocked ? 'yes' : ''),
      },
      exportCustomers(ctx, filter.parse(query)),
    ),
};

const problemTexts: Record<ImportProblem, string> = {
  givenNameMissing: 'has no given name',
  nameInvalid: 'the name is too long or has control characters',
  contactMissing: 'has neither a phone number nor an e-mail address',
  phoneInvalid: 'the phone number is not valid',
  emailInvalid: 'the e-mail address is not valid',
  birthdayInvalid: 'the birthday is not a date of the past in the order chosen',
  alreadyCustomer: 'is a customer already',
  twiceInFile: 'is in the file more than once',
};

/** The rows of a file that were not enrolled, and why: mended, they can be imported as they are. */
export const importProblemsExport: Export = {
  roles: ['owner', 'manager'],
  open: (ctx, query) =>
    toCsv(
      {
        row: ({ rowNumber }) => rowNumber,
        problem: ({ problems }) => problems.map((problem) => problemTexts[problem]).join('; '),
        givenName: ({ values }) => values.givenName ?? '',
        lastName: ({ values }) => values.lastName ?? '',
        phone: ({ values }) => values.phone ?? '',
        email: ({ values }) => values.email ?? '',
        birthday: ({ values }) => values.birthday ?? '',
      },
      exportProblems(ctx, oneImportInput.strip().parse(query).importId),
    ),
};
