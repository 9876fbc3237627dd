/** What a voucher's unit needs that the compiler can't check. */
import { readFileSync } from 'node:fs';
import { createTranslator } from 'next-intl';
import { beforeAll, describe, expect, test } from 'vitest';
import { loyaltyWords } from '@/components/diner/dictionaries';
import { messages } from '@/components/messages/messages';
import { sharedDatabase } from '@/db/testing/database';
import { isForItems, isPercentage, voucherUnitNames, voucherUnits } from '@/server/domain/kernel/voucher-units';
import { campaignInput } from '@/server/domain/vouchers/campaign-schemas';
import { fiveOff } from './campaigns';
import { createMerchant } from './factory';
import { createCampaign } from './factory-ordering';

const database = sharedDatabase();
let merchantId: string;
beforeAll(async () => {
  merchantId = (await createMerchant(database.owner)).id;
});

describe.each(voucherUnitNames)('%s', (unit) => {
  test.each([
    [{ value: 10_000, plus: ['N001'] }, isForItems(unit)],
    [{ value: 10_000, plus: [] }, !isForItems(unit)],
    [{ value: 10_001, plus: isForItems(unit) ? ['N001'] : [] }, !isPercentage(unit)],
  ])('a campaign with %o: accepted by the database is %s', async (terms, isAccepted) => {
    const saved = createCampaign(database.owner, merchantId, { unit, ...terms });
    expect(
      await saved.then(
        () => true,
        ({ constraint_name }) => constraint_name,
      ),
    ).toEqual(isAccepted || expect.stringMatching(/^voucher_campaigns_(items|value)$/));
  });

  test('the form asks for items if it is off items, and for at most 100 percent', () => {
    const pathsOf = (terms: { value: number; plus: string[] }) =>
      campaignInput.safeParse({ ...fiveOff, unit, ...terms }).error?.issues.map(({ path }) => path.join()) ?? [];
    expect(pathsOf({ value: 10_000, plus: [] })).toEqual(isForItems(unit) ? ['plus'] : []);
    expect(pathsOf({ value: 10_001, plus: ['N001'] })).toEqual(isPercentage(unit) ? ['value'] : []);
  });

  test.each(Object.entries(messages))('its terms in the back office name its value in %s', (language, texts) => {
    const errors: unknown[] = [];
    const t = createTranslator({
      locale: language,
      messages: texts,
      namespace: 'vouchers',
      onError: (error) => errors.push(error),
    });
    const named = (count: number) => t(`units.${unit}.terms`, { value: '«9»', count });
    for (const count of [1, 3]) expect(named(count)).toContain('«9»');
    if (isForItems(unit)) expect(named(3)).toContain('3');
    expect(errors).toEqual([]);
  });

  test.each(Object.entries(loyaltyWords))(
    "its words on diners' pages name its value, and its items, in %s",
    (_, words) => {
      const gaps = [...words[unit].matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort();
      expect(gaps).toEqual(isForItems(unit) ? ['items', 'value'] : ['value']);
    },
  );

  test('the guide has its row', () => {
    const row = `| \`${unit}\` | ${voucherUnits[unit].discount} | ${isForItems(unit) ? 'yes ' : ''}|`;
    expect(readFileSync('docs/guides/vouchers.md', 'utf8').split('\n')).toContain(row);
  });
});
