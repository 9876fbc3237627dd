import { z } from 'zod';
import { instant } from '../kernel/schemas';

const sandboxFault = z.enum(['none', 'lost', 'late', 'rate_limited', 'service_unavailable']);
export type SandboxFault = z.infer<typeof sandboxFault>;

const next = z
  .array(sandboxFault)
  .max(100)
  .describe(
    'What happens to the next responses, one each, in order. `lost`: the request is executed and the connection is cut. ' +
      '`late`: the request is executed and the response comes after 7 seconds. `service_unavailable`: the request is ' +
      'executed and the response is 503. `rate_limited`: the request is not executed and the response is 429. `none`: ' +
      'nothing. An empty list ends all faults.',
  );

export const faultsInput = z.strictObject({ next });
export type FaultsInput = z.infer<typeof faultsInput>;

export const faultsOutput = z.object({ next });

export const resetInput = z.strictObject({});

export const resetOutput = z.object({ now: instant.describe("The merchant's time from now on. RFC 3339, UTC.") });
export type ResetOutput = z.infer<typeof resetOutput>;
