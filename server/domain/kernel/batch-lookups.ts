import { setImmediate } from 'node:timers/promises';
import type { Database } from '@/db/driver';

interface Batch<Input, Row> {
  inputs: Input[];
  rows: Promise<Row[]>;
}

/** Numbers the inputs, for a query whose rows say which input they answer. */
export const numbered = <Input extends object>(inputs: Input[]): (Input & { n: number })[] =>
  inputs.map((input, n) => ({ ...input, n }));

/**
 * A row of a look-up for several merchants: which input it answers, and whether it was read as that input's merchant.
 */
interface Answered {
  n: number;
  isOwn: boolean;
}

/**
 * Puts rows in the order of their inputs. Fails if any was read as another merchant: its own merchant's rows would be
 * missing.
 */
export function inOrder<Row extends Answered>(rows: Row[]): Row[] {
  const ordered: Row[] = [];
  for (const row of rows) {
    if (!row.isOwn) throw new Error('a look-up was read as another merchant');
    ordered[row.n] = row;
  }
  return ordered;
}

/** A larger batch saves little more, and makes its first request wait for the last. */
const maxBatchSize = 32;

/**
 * Look-ups of one scope that arrive at the same moment share a statement. A look-up that arrives alone is sent at once,
 * and never joins a statement that was already sent. `ask` returns a row for each input, in order. If it fails, all of
 * them fail, and what it wrote is undone.
 */
export function batchLookups<Scope extends Record<string, string | boolean>, Input, Row>(
  ask: (reads: Database['reads'], scope: Scope, inputs: Input[]) => PromiseLike<Row[]>,
): (reads: Database['reads'], scope: Scope, input: Input) => Promise<Row> {
  const unsent = new WeakMap<Database['reads'], Map<string, Batch<Input, Row>>>();

  return async (reads, scope, input) => {
    const ofPool = unsent.get(reads) ?? new Map<string, Batch<Input, Row>>();
    unsent.set(reads, ofPool);
    const key = Object.values(scope).join(' ');
    let batch = ofPool.get(key);
    if (!batch || batch.inputs.length === maxBatchSize) {
      const inputs: Input[] = [];
      const rows = setImmediate().then(() => {
        if (ofPool.get(key)?.inputs === inputs) ofPool.delete(key);
        return ask(reads, scope, inputs);
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
