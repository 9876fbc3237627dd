import type postgres from 'postgres';

/** The driver's internals of a statement: its connection, and whether its types are requested first. */
interface Progress {
  state: object | null;
  describeFirst?: boolean | number;
}

/**
 * True once the driver has sent all of a statement. For a statement that is new on its connection, it first asks for
 * the types.
 */
export function isWritten(statement: postgres.PendingQuery<postgres.Row[]>): boolean {
  const { state, describeFirst } = statement as unknown as Progress;
  return state !== null && !describeFirst;
}
