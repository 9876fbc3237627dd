import type { PosContext } from '../kernel/context';
import type { FaultsInput, SandboxFault } from './schemas';

export type { SandboxFault };

/**
 * The faults of the next responses, by API key. They are this process's alone, because a sandbox has one front door: so
 * they cost a request no query.
 */
const faultsByKey = new Map<string, SandboxFault[]>();

/** Sets what happens to the next responses to the request's own key, in place of what was set before. */
export function setFaults({ apiKeyId }: PosContext, { next }: FaultsInput): FaultsInput {
  if (next.length === 0) faultsByKey.delete(apiKeyId);
  else faultsByKey.set(apiKeyId, [...next]);
  return { next };
}

/** Takes what is to happen to this response. */
export function takeFault({ apiKeyId }: PosContext): SandboxFault | undefined {
  const faults = faultsByKey.get(apiKeyId);
  const fault = faults?.shift();
  if (faults?.length === 0) faultsByKey.delete(apiKeyId);
  return fault;
}
