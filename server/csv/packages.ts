import { iterateList } from '@/server/domain/kernel/page';
import { listStores } from '@/server/domain/merchants';
import { listManagedPackages, type ManagedPackage, packageListInput } from '@/server/domain/stored-value';
import type { Export } from './export';
import { dayCell, moneyCell, toCsv } from './write';

/** The merchant's packages in their order, or the archived ones. Amounts are in the currency's major unit. */
export const packagesExport: Export = {
  roles: ['owner', 'manager'],
  open: (ctx, query, write = toCsv) => {
    const { currency } = ctx.merchant;
    const filter = packageListInput.strip().parse(query);
    const money = (amount: number) => moneyCell(amount, currency);
    const fixed = (one: ManagedPackage) => (one.kind === 'fixed' ? one : null);
    const open = (one: ManagedPackage) => (one.kind === 'open' ? one : null);
    const orNull = (amount: number | undefined) => (amount === undefined ? null : money(amount));
    return write<ManagedPackage & { storeCodes: string[] }>(
      {
        packageId: ({ packageId }) => packageId,
        name: ({ name }) => name,
        status: ({ status }) => status,
        kind: ({ kind }) => kind,
        amount: (one) => orNull(fixed(one)?.amount),
        bonusAmount: (one) => orNull(fixed(one)?.bonusAmount),
        minAmount: (one) => orNull(open(one)?.minAmount),
        maxAmount: (one) => orNull(open(one)?.maxAmount),
        bonusPercent: (one) => (one.kind === 'open' ? one.bonusBasisPoints / 100 : null),
        currency: () => currency,
        bonusExpiresInDays: ({ bonusExpiresInDays }) => bonusExpiresInDays,
        stores: ({ allStores, storeCodes }) => (allStores ? 'all' : storeCodes.join('; ')),
        validFrom: ({ validFrom }) => dayCell(validFrom),
        validUntil: ({ validUntil }) => dayCell(validUntil),
      },
      iterateList(async () => {
        const [packages, { stores }] = await Promise.all([listManagedPackages(ctx, filter), listStores(ctx)]);
        const codes = new Map(stores.map(({ storeId, storeCode }) => [storeId, storeCode]));
        return packages.map((one) => ({ ...one, storeCodes: one.storeIds.flatMap((id) => codes.get(id) ?? []) }));
      }),
    );
  },
};
