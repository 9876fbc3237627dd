import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database } from '@/db/client';

interface Asking {
  db: Pick<Database, 'reads'>;
  merchant: { id: string };
}

interface Batch<Input, Row> {
  inputs: Input[];
  rows: Promise<Row[]>;
}

/** Inputs with their places, for a query that answers in their order. */
export const numbered = <Input extends object>(inputs: Input[]): (Input & { n: number })[] =>
  inputs.map((input, n) => ({ ...input, n }));

/** Enough for each to cost little; of more, the first would wait long for the last. */
const mostTogether = 32;

/**
 * Look-ups of one merchant and kind that come at the same moment share a statement; one that comes alone goes at once. `ask`
 * answers a row for each input, in their order, and changes nothing; its `ctx` is that of the first. Where it fails, all fail.
 */
export function together<Ctx extends Asking, Kind extends string, Input, Row>(
  ask: (ctx: Ctx, kind: Kind, inputs: Input[]) => PromiseLike<Row[]>,
): (ctx: Ctx, kind: Kind, input: Input) => Promise<Row> {
  const open = new WeakMap<Database['reads'], Map<string, Batch<Input, Row>>>();

  return async (ctx, kind, input) => {
    const ofPool = open.get(ctx.db.reads) ?? new Map<string, Batch<Input, Row>>();
    open.set(ctx.db.reads, ofPool);
    const key = `${ctx.merchant.id} ${kind}`;
    let batch = ofPool.get(key);
    if (!batch || batch.inputs.length === mostTogether) {
      const inputs: Input[] = [];
      const rows = nextTurn().then(() => {
        if (ofPool.get(key)?.inputs === inputs) ofPool.delete(key);
        return ask(ctx, kind, inputs);
      });
      batch = { inputs, rows };
      ofPool.set(key, batch);
    }
    const n = batch.inputs.push(input) - 1;
    const rows = await batch.rows;
    if (rows.length !== batch.inputs.length) throw new Error('a look-up did not answer a row for each input');
    return rows[n] as Row;
  };
}
