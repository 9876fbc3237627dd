/** A merchant's offers on diners' phones: defaults, concurrent changes, and what an open page gets. */
import { expect, test } from 'vitest';
import { withMerchant } from '@/db/driver';
import { sharedDatabase } from '@/db/testing/database';
import { callAs, createStaff } from '@/server/testing/staff';
import { createTables, openTable } from '@/server/testing/tables';
import type { CardService } from '../kernel/card-payments';
import { readOrderingSettings } from './ordering-settings';
import { getTablePage } from './table-page';

const database = sharedDatabase();

async function newScene() {
  const tables = await createTables(database);
  const { merchant, services } = tables;
  const table = await openTable(tables);
  const owner = callAs(await createStaff(database.owner, services, merchant.id, 'owner'));
  const offers = async (cardPayments: CardService | null = null) => {
    const page = await getTablePage({ ...services, cardPayments }, table.visit, 'en');
    return page.state === 'open' ? page.offers : page.state;
  };
  const read = () => withMerchant(database.db, merchant.id, readOrderingSettings);
  return { ...tables, owner, offers, read };
}

/** Only whether it is set matters. */
const stripe = { connect: null, on: () => ({}) } as unknown as CardService;

test('a merchant that has set nothing has the defaults of the table', async () => {
  const { merchant, read, offers } = await newScene();
  const before = await read();
  await database.owner`insert into ordering_settings (merchant_id, updated_at) values (${merchant.id}, now())`;
  expect(await read()).toEqual(before);
  expect(await offers(stripe)).toMatchObject({
    callsStaff: true,
    showsPopular: true,
    cardOnBill: true,
    takeBackMinutes: 2,
    tipPercentages: [],
  });
});

test('an open page has what was set; a card only where the service takes cards', async () => {
  const { owner, offers } = await newScene();
  expect(await offers()).toMatchObject({ cardOnBill: false, redeemsOnBill: true });
  await owner.settings.changeOrdering({ showsPopular: false, tipPercentages: [15, 5, 10, 5] });
  const set = { showsPopular: false, ordersAgain: true, tipPercentages: [5, 10, 15] };
  expect(await offers(stripe)).toMatchObject({ ...set, cardOnBill: true });
  await owner.settings.changeOrdering({ cardOnBill: false });
  expect(await offers(stripe)).toMatchObject({ ...set, cardOnBill: false });
  expect(await owner.settings.ordering()).toMatchObject({ ...set, cardOnBill: false, takesCards: false });
});

test('changes of different settings at the same time are all kept, and a repeated one leaves no entry', async () => {
  const { owner, read, merchant } = await newScene();
  const changes = [
    { callsStaff: false },
    { estimatesWait: false },
    { tipPercentages: [10] },
    { tableCardPage: 'bill' as const },
  ];
  await Promise.all(changes.map((change) => owner.settings.changeOrdering(change)));
  expect(await read()).toMatchObject(Object.assign({}, ...changes));
  await owner.settings.changeOrdering({ callsStaff: false });
  const entries = await database.owner`
    select before, after from audit_log where merchant_id = ${merchant.id} and action = 'settings.change'`;
  const said = entries.map(({ before, after }) => [JSON.parse(before), JSON.parse(after)]);
  expect(said).toHaveLength(4);
  expect(said).toContainEqual([{ tipPercentages: [] }, { tipPercentages: [10] }]);
});

test.each([[[0]], [[51]], [[5.5]], [[1, 2, 3, 4, 5]]])('tips of %j percent are refused', async (tipPercentages) => {
  const { owner } = await newScene();
  await expect(owner.settings.changeOrdering({ tipPercentages })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
});
