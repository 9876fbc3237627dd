/** What a sandbox offers to those who test the integration of a till. */

export { type SandboxFault, setFaults, takeFault } from './faults';
export { resetSandbox } from './reset';
export { faultsInput, faultsOutput, resetInput, resetOutput } from './schemas';
export { hasTestData, seedTestData } from './test-data';
