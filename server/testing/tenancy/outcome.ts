import { TRPCError } from '@trpc/server';
import { formatError } from '@/server/trpc/refusals';

/** Returns a response or domain error as JSON. Fails on any other error. */
export async function outcomeOf(work: Promise<unknown>): Promise<string> {
  try {
    return JSON.stringify({ data: await work });
  } catch (error) {
    if (!(error instanceof TRPCError) || error.code === 'INTERNAL_SERVER_ERROR') throw error;
    const shape = { message: error.message, code: -32600, data: { code: error.code, httpStatus: 0 } } as const;
    return JSON.stringify({ error: formatError({ shape, error }) });
  }
}

/** Returns the outcome of a change without the parts that differ each time: ids, secrets, numbers and times. */
export const withoutNew = (outcome: string): string =>
  outcome.startsWith('{"error"') ? outcome : outcome.replaceAll(/[\w-]{20,}|[\d.:, ]+/g, '#');
