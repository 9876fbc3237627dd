/** `procedures.ts` reads from tRPC's routers what they were built from. */
import { initTRPC } from '@trpc/server';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { listProcedures } from './procedures';

const trpc = initTRPC.context<{ factor: number }>().meta<{ note: string }>().create();
const input = z.object({ value: z.int() });
const output = z.object({ product: z.int() });
const router = trpc.router({
  within: trpc.router({
    multiply: trpc.procedure
      .meta({ note: 'a product' })
      .input(input)
      .output(output)
      .mutation(({ ctx, input: { value } }) => ({ product: ctx.factor * value })),
  }),
  nothing: trpc.procedure.query(() => null),
});

test('every procedure is listed with its path, type, meta, input and output', () => {
  expect(listProcedures(router)).toMatchObject([
    { path: 'within.multiply', type: 'mutation', meta: { note: 'a product' }, inputs: [input], output },
    { path: 'nothing', type: 'query', inputs: [] },
  ]);
});

test('a procedure is called with a context and an input, which is validated', async () => {
  const multiply = listProcedures(router).find(({ path }) => path === 'within.multiply');
  expect(await multiply?.call({ factor: 6 }, { value: 7 })).toEqual({ product: 42 });
  await expect(multiply?.call({ factor: 6 }, { value: 'x' })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
});
