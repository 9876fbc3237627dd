import type { AnyTRPCRouter } from '@trpc/server';
import type { z } from 'zod';

export interface Procedure<Meta> {
  /** Its name in the router, with those of the routers around it: `vouchers.issue`. */
  path: string;
  type: 'query' | 'mutation' | 'subscription';
  meta: Meta;
  /** One for each `.input()`; none where it takes nothing. */
  inputs: z.ZodObject[];
  output: z.ZodObject;
  /** As a caller of tRPC's would, but for the proxies on its way: a REST request does this each time. */
  call(ctx: object, input: unknown): Promise<unknown>;
}

/** How tRPC keeps a procedure: its own adapters, and libraries that document a router, read it so. */
interface Kept {
  (call: object): Promise<unknown>;
  _def: Pick<Procedure<never>, 'type' | 'meta' | 'inputs' | 'output'>;
}

/** All procedures of a router, those of the routers within it included. */
export const proceduresOf = <Meta = unknown>(router: AnyTRPCRouter): Procedure<Meta>[] =>
  Object.entries(router._def.procedures as Record<string, Kept>).map(([path, procedure]) => {
    const { type, meta, inputs, output } = procedure._def;
    const call: Procedure<Meta>['call'] = (ctx, input) =>
      procedure({ ctx, path, type, getRawInput: async () => input, signal: undefined, batchIndex: 0 });
    return { path, type, meta, inputs, output, call };
  });
