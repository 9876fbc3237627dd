/** What a procedure answers a caller, as `docs/authorisation.md` shows it. */
import { TRPCError } from '@trpc/server';
import { DomainError } from '@/server/domain/kernel/errors';
import { countAttempt } from '../attempts';
import { idFieldsOf } from '../tenancy/fields';

/** Invalid for every procedure with an input: those who may call it get `BAD_REQUEST`, others are refused before. */
export const badInput = Symbol('bad') as unknown;

/** Calls a procedure of a tRPC caller by its path. */
export const callAt = (caller: unknown, path: string, input: unknown): Promise<unknown> =>
  (
    path.split('.').reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], caller) as (
      input: unknown,
    ) => Promise<unknown>
  )(input);

/** Returns `yes` if the call was admitted, also if only its input was refused; else the state or reason that it gives. */
export async function answerTo(call: Promise<unknown>): Promise<string> {
  const answer = await read(call);
  countAttempt(answer !== 'yes');
  return answer;
}

async function read(call: Promise<unknown>): Promise<string> {
  try {
    const { state } = ((await call) ?? {}) as { state?: unknown };
    return typeof state === 'string' ? state : 'yes';
  } catch (error) {
    if (!(error instanceof TRPCError)) throw error;
    if (error.code === 'BAD_REQUEST') return 'yes';
    return error.cause instanceof DomainError ? error.cause.code : error.code;
  }
}

/** A table in Markdown: one line for each row. */
export const tableOf = (columns: string[], rows: string[][]): string =>
  [columns, columns.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

/** The fields of an input that another merchant's or store's data could be named in. */
export const idsOf = (inputs: unknown[]): string =>
  idFieldsOf(inputs)
    .map(({ path }) => path)
    .join(', ');
