import { expect, test } from 'vitest';
import { movesOf } from './void-moves';

const sale = 'sale';
const points = (lotId: string, amount: number) => ({
  transactionUid: sale,
  lotId,
  part: 'points' as const,
  kind: 'void' as const,
  amount,
});

test('what a void takes out of a lot and puts back again is neither taken nor returned', () => {
  const moves = movesOf(
    [{ uid: sale }],
    [points('own', -3), points('other', -7), points('own', -7), points('other', 7)],
    () => true,
  );
  expect(moves.get(sale)).toMatchObject({ taken: { points: 10 }, returned: { points: 0 }, expired: { points: 0 } });
});

test('what had expired in a lot before is not taken', () => {
  const moves = movesOf([{ uid: sale }], [points('expired', -5), points('own', -3)], (lotId) => lotId === 'own');
  expect(moves.get(sale)).toMatchObject({ taken: { points: 3 } });
});
