/** The store that a screen shows if none was chosen. */
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { NuqsTestingAdapter } from 'nuqs/adapters/testing';
import { useState } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { type OfficeFacts, OfficeProvider } from '../office/office';
import { BackOfficeProvider } from '../office/trpc';
import { useStoreChoice } from './store-choice';

const store = (storeId: string, hasTables: boolean) => ({ storeId, name: storeId, hasTables });

/** Returns the store that an open screen shows after each reload of the stores. */
function chosen(lists: ReturnType<typeof store>[][]): (string | null)[] {
  const queryClient = new QueryClient();
  const seen: (string | null)[] = [];
  const Screen = () => {
    const [at, setAt] = useState(0);
    queryClient.setQueryData([['stores', 'list'], { type: 'query' }], { stores: lists[at] });
    seen[at] = useStoreChoice().store?.storeId ?? null;
    if (at < lists.length - 1) setAt(at + 1);
    return null;
  };
  renderToStaticMarkup(
    <NuqsTestingAdapter>
      <OfficeProvider facts={{ merchant: { id: 'm' } } as OfficeFacts}>
        <BackOfficeProvider>
          <QueryClientProvider client={queryClient}>
            <Screen />
          </QueryClientProvider>
        </BackOfficeProvider>
      </OfficeProvider>
    </NuqsTestingAdapter>,
  );
  return seen;
}

test('is the first with tables, and stays while others get tables or come before it', () => {
  const [bay, hill] = [store('bay', false), store('hill', true)];
  expect(
    chosen([
      [bay, hill],
      [store('bay', true), hill],
      [store('arc', true), bay, hill],
    ]),
  ).toEqual(Array(3).fill('hill'));
});

test('is the first of all without tables, and stays once another has tables', () => {
  expect(
    chosen([
      [store('bay', false), store('hill', false)],
      [store('bay', false), store('hill', true)],
    ]),
  ).toEqual(['bay', 'bay']);
});

test('gives way to another once it is gone', () => {
  expect(chosen([[], [store('bay', true), store('hill', true)], [store('hill', true)]])).toEqual([null, 'bay', 'hill']);
});
