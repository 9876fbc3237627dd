import { cashUpDay, cashUpDayInput } from '@/server/domain/cash-ups';
import { toMajorUnits } from '@/server/domain/kernel/money';
import { iterateList } from '@/server/domain/kernel/page';
import type { Export } from './export';
import { toCsv } from './write';

const filter = cashUpDayInput.strip();

/** What staff took, paid out and gave on a day, by person, store and payment method. Cashiers get their own rows. */
export const cashUpExport: Export = {
  roles: ['owner', 'manager', 'cashier'],
  open: (ctx, query) => {
    const input = filter.parse(query);
    const { currency } = ctx.merchant;
    return toCsv(
      {
        day: () => input.day,
        store: ({ storeName }) => storeName ?? '',
        staff: ({ name }) => name,
        type: ({ kind }) => kind,
        method: ({ method }) => method ?? '',
        count: ({ count }) => count,
        amount: ({ amount }) => toMajorUnits(amount, currency),
        currency: () => currency,
      },
      iterateList(async () => (await cashUpDay(ctx, input)).lines),
    );
  },
};

/** What was expected and counted at the ends of a day's shifts, one row for each payment method. */
export const cashUpCountsExport: Export = {
  roles: ['owner', 'manager'],
  open: (ctx, query) => {
    const input = filter.parse(query);
    const { currency } = ctx.merchant;
    const money = (amount: number) => toMajorUnits(amount, currency);
    return toCsv(
      {
        cashUpId: ({ cashUpId }) => cashUpId,
        store: ({ storeName }) => storeName,
        since: ({ since }) => since.toISOString(),
        until: ({ until }) => until.toISOString(),
        countedBy: ({ closedBy }) => closedBy,
        countedAt: ({ closedAt }) => closedAt.toISOString(),
        corrects: ({ replacesId }) => replacesId ?? '',
        reason: ({ reason }) => reason ?? '',
        method: ({ method }) => method,
        expected: ({ expected }) => money(expected),
        counted: ({ counted }) => money(counted),
        difference: ({ expected, counted }) => money(counted - expected),
        currency: () => currency,
      },
      iterateList(async () =>
        (await cashUpDay(ctx, input)).closed.flatMap(({ counts, ...shift }) =>
          counts.map((count) => ({ ...shift, ...count })),
        ),
      ),
    );
  },
};
