/**
 * First orders: the dialog that declines them while colleagues handle the same table, and the toast after accepting.
 */
import { useState } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { messages } from '@/components/messages/messages';
import { useDeclining } from './use-declining';

const [a, b] = [{ orderId: 'a' }, { orderId: 'b' }];

/** Opens the dialog for `chosen`. Returns what it shows for each following list of waiting orders. */
function shown(chosen: { orderId: string }[], lists: { orderId: string }[][]): (string | null)[] {
  const seen: (string | null)[] = [];
  const Dialog = () => {
    const [at, setAt] = useState(-1);
    const declining = useDeclining(lists[at] ?? chosen);
    if (at < 0) declining.ask(chosen);
    else seen.push(declining.isOpen ? declining.orders.map(({ orderId }) => orderId).join() : null);
    if (at < lists.length - 1) setAt(at + 1);
    return null;
  };
  renderToStaticMarkup(<Dialog />);
  return seen;
}

test('it keeps the order that it opened for, and closes when a colleague has passed that on', () => {
  expect(shown([a], [[a, b], [a], [b]])).toEqual(['a', 'a', null]);
});

test('of two orders it stays open while one waits', () => {
  expect(shown([a, b], [[a, b], [b], []])).toEqual(['a,b', 'a,b', null]);
});

test.each(Object.entries(messages))('in %s, the toast names the column that the orders are under', (_, { orders }) => {
  expect(orders.acceptedTable).toContain(orders.placed);
});
