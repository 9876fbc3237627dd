/** A valid call of every operation that only a sandbox has. */
import type { Call } from './operations';

/** Those that leave other tests of the same merchant alone. */
export const harmlessSandboxOperations: Record<string, Call> = {
  listSandboxMessages: { method: 'GET', path: '/sandbox/messages' },
  advanceSandboxClock: { method: 'POST', path: '/sandbox/clock', body: { seconds: 1 } },
  setSandboxFaults: { method: 'POST', path: '/sandbox/faults', body: { next: [] } },
};

/** All of them. `e2e/rest/sandbox` tests their fields. */
export const sandboxOperations: Record<string, Call> = {
  ...harmlessSandboxOperations,
  resetSandbox: { method: 'POST', path: '/sandbox/reset', body: {} },
};
