import type postgres from 'postgres';

/** What the driver keeps in a statement: the connection that it went out on, and whether its types are asked for first. */
interface Progress {
  state: object | null;
  describeFirst?: boolean | number;
}

/** Whether the driver has sent all of a statement; of one that is new on its connection it first asks for the types. */
export function isWritten(statement: postgres.PendingQuery<postgres.Row[]>): boolean {
  const { state, describeFirst } = statement as unknown as Progress;
  return state !== null && !describeFirst;
}
