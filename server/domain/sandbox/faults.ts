import type { PosContext } from '../kernel/context';
import type { FaultsInput, SandboxFault } from './schemas';

export type { SandboxFault };

/**
 * The faults of the next responses, by API key. They are only in this process, because a sandbox has one front door, so
 * they cost no query.
 */
const faultsByKey = new Map<string, SandboxFault[]>();

/** Sets the faults of the next responses to the request's own key. Replaces earlier ones. */
export function setFaults({ apiKeyId }: PosContext, { next }: FaultsInput): FaultsInput {
  if (next.length === 0) faultsByKey.delete(apiKeyId);
  else faultsByKey.set(apiKeyId, [...next]);
  return { next };
}

/** Takes the fault of this response, if there is one. */
export function takeFault({ apiKeyId }: PosContext): SandboxFault | undefined {
  const faults = faultsByKey.get(apiKeyId);
  const fault = faults?.shift();
  if (faults?.length === 0) faultsByKey.delete(apiKeyId);
  return fault;
}
