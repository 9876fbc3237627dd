import type { Page } from './page';

const pageSize = 1_000;

/** All items of a list that is read whole. */
export async function* everyItem<Item>(read: () => Promise<Item[]>): AsyncGenerator<Item> {
  yield* await read();
}

/** All items of a list, read a page at a time, each in a database transaction of its own. */
export async function* everyPage<Item>(
  read: (page: { after: string | undefined; limit: number }) => Promise<Page<Item>>,
): AsyncGenerator<Item> {
  for (let after: string | undefined; ; ) {
    const { items, nextCursor } = await read({ after, limit: pageSize });
    yield* items;
    if (nextCursor === null) return;
    after = nextCursor;
  }
}
