/** The table's page as the server renders it. */
import { renderToReadableStream } from 'react-dom/server.edge';
import { expect, test } from 'vitest';
import { sharedDatabase } from '@/db/testing/database';
import { getTablePage } from '@/server/domain/qr-ordering/table-page';
import { createOrder } from '@/server/testing/factory-ordering';
import { createTables, openTable } from '@/server/testing/tables';
import { tableWordsIn } from '../dictionaries';
import { noteOf, pricesOf } from './menu-texts';
import { TableScreen } from './table-screen';

const database = sharedDatabase();

test('orders and popular dishes are there without scripts, and however long the page, React adds no script, which the policy would block', async () => {
  const tables = await createTables(database);
  const table = await openTable(tables);
  await createOrder(database.db, tables.merchant.id, { ...table, lines: [{ plu: 'N002', quantity: 2 }] });
  const seen = await getTablePage(tables.services, table.visit, 'en');
  if (seen.state !== 'open') throw new Error(`the page is ${seen.state}`);
  const categories = Array.from({ length: 40 }, (_, index) =>
    seen.categories.map((category) => ({ ...category, id: `${category.id}-${index}` })),
  ).flat();
  const page = { ...seen, categories, popular: ['N001', 'N002', 'D001'] };
  const stream = await renderToReadableStream(
    <TableScreen
      token={table.token}
      page={page}
      language="en"
      menuLanguage={null}
      priceNote={noteOf(page, 'en')}
      prices={pricesOf(page)}
      words={tableWordsIn('en', 'SG')}
      hasSession={false}
    />,
  );
  await stream.allReady;
  const html = await new Response(stream).text();
  expect(html.length).toBeGreaterThan(20_000);
  expect(html.includes('<script')).toBe(false);
  expect(/class="dish-strip"(.*?)<\/section>/s.exec(html)?.[1]).toContain('Laksa');
  expect(/<noscript>(.*)<\/noscript>/s.exec(html)?.[1]).toContain('Chicken Rice');
});
