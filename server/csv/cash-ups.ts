import { cashUpDay, cashUpDayInput } from '@/server/domain/cash-ups';
import { iterateList } from '@/server/domain/kernel/page';
import type { Export } from './export';
import { dayCell, moneyCell, toCsv } from './write';

const filter = cashUpDayInput.strip();

/** What staff took, paid out and gave on a day, by person, store and payment method. Cashiers get their own rows. */
export const cashUpExport: Export = {
  roles: ['owner', 'manager', 'cashier'],
  open: (ctx, query, write = toCsv) => {
    const input = filter.parse(query);
    const { currency } = ctx.merchant;
    return write(
      {
        day: () => dayCell(input.day),
        store: ({ storeName }) => storeName ?? '',
        staff: ({ name }) => name,
        type: ({ kind }) => kind,
        method: ({ method }) => method ?? '',
        count: ({ count }) => count,
        amount: ({ amount }) => moneyCell(amount, currency),
        currency: () => currency,
      },
      iterateList(async () => (await cashUpDay(ctx, input)).lines),
    );
  },
};

/** What was expected and counted at the ends of a day's shifts, one row for each payment method. */
export const cashUpCountsExport: Export = {
  roles: ['owner', 'manager'],
  open: (ctx, query, write = toCsv) => {
    const input = filter.parse(query);
    const { currency } = ctx.merchant;
    const money = (amount: number) => moneyCell(amount, currency);
    return write(
      {
        cashUpId: ({ cashUpId }) => cashUpId,
        store: ({ storeName }) => storeName,
        since: ({ since }) => since,
        until: ({ until }) => until,
        countedBy: ({ closedBy }) => closedBy,
        countedAt: ({ closedAt }) => closedAt,
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
