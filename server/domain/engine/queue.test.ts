import { describe, expect, test } from 'vitest';
import { type Groupable, newQueue, takeFree, type Waiting } from './queue';

const kindOf = (areShared: boolean): Groupable<never, unknown> => ({
  areShared,
  claimsOf: () => ({ customerIds: [], voidedIds: [], newIds: [] }),
  run: async () => [],
});
const [redemptions, topUps, sales, voids] = [kindOf(true), kindOf(true), kindOf(false), kindOf(false)];

let serial = 0;
function waitingFor(kind: Waiting['kind'], customerId: string): Waiting {
  return {
    kind,
    member: { ctx: { db: {}, merchant: { id: 'm' } } } as unknown as Waiting['member'],
    claims: { customerIds: [customerId], voidedIds: [], newIds: [`new ${++serial}`] },
    round: 0,
    isOvertaken: false,
    since: performance.now(),
    span: undefined,
    resolve: () => {},
    reject: (error) => {
      throw error;
    },
  };
}
const queueOf = (...waiting: Waiting[]) => Object.assign(newQueue(), { waiting });

describe('the next group', () => {
  test('takes all kinds of one customer, in order of arrival: a round for each that cannot run with the one before', () => {
    const all = [topUps, redemptions, redemptions, sales, sales, voids].map((kind) => waitingFor(kind, 'ada'));
    const queue = queueOf(...all);
    const group = takeFree(queue);
    expect(group.map((one) => all.indexOf(one))).toEqual([0, 1, 2, 3, 4]);
    expect(group.map(({ round }) => round)).toEqual([0, 1, 1, 2, 3]);
    expect(queue.waiting).toEqual(all.slice(5));
  });

  test('leaves a customer to the group in progress, and takes the others', () => {
    const [running, behind, other] = ['ada', 'ada', 'bob'].map((name) => waitingFor(redemptions, name)) as Waiting[];
    const queue = queueOf(running as Waiting);
    expect(takeFree(queue)).toEqual([running]);
    queue.waiting.push(behind as Waiting, other as Waiting);
    expect(takeFree(queue)).toEqual([other]);
    expect(queue.waiting).toEqual([behind]);
  });
});
