import type { AnyTRPCRouter } from '@trpc/server';
import type { z } from 'zod';
import { inSpan } from '@/server/observe/spans';

export interface Procedure<Meta> {
  /** Full name in the router: `vouchers.issue`. */
  path: string;
  type: 'query' | 'mutation' | 'subscription';
  meta: Meta;
  /** One per `.input()`. */
  inputs: z.ZodObject[];
  output: z.ZodObject;
  /** Calls the procedure as a tRPC caller would, without the caller's proxies: a REST request does this each time. */
  call(ctx: object, input: unknown): Promise<unknown>;
}

/** tRPC's internal form of a procedure, on which its adapters and documentation libraries rely. */
interface InternalProcedure {
  (call: object): Promise<unknown>;
  _def: Pick<Procedure<never>, 'type' | 'meta' | 'inputs' | 'output'>;
}

/** Lists all procedures of a router, including nested routers. */
export const listProcedures = <Meta = unknown>(router: AnyTRPCRouter): Procedure<Meta>[] =>
  Object.entries(router._def.procedures as Record<string, InternalProcedure>).map(([path, procedure]) => {
    const { type, meta, inputs, output } = procedure._def;
    const call: Procedure<Meta>['call'] = (ctx, input) =>
      inSpan(path, () =>
        procedure({ ctx, path, type, getRawInput: async () => input, signal: undefined, batchIndex: 0 }),
      );
    return { path, type, meta, inputs, output, call };
  });
