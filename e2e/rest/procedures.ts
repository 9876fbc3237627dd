/** The procedures behind the REST API, as the contract's suites look at them. */
import type { z } from 'zod';
import type { PosMeta } from '@/server/trpc/pos/init';
import { posRouter } from '@/server/trpc/pos/router';
import { listProcedures } from '@/server/trpc/procedures';

export interface ProcedureFacts {
  name: string;
  meta: PosMeta;
  input: z.ZodObject;
  output: z.ZodObject;
}

export const procedures: ProcedureFacts[] = listProcedures<PosMeta>(posRouter).map(({ path, meta, inputs, output }) => {
  const [input] = inputs;
  if (!input || inputs.length > 1) throw new Error(`${path} has not exactly one input`);
  return { name: path, meta, input, output };
});

/** The input schema of an operation. */
export function inputOf(operation: string): z.ZodObject {
  const found = procedures.find(({ meta }) => meta.openapi?.operationId === operation);
  if (!found) throw new Error(`there is no operation ${operation}`);
  return found.input;
}
