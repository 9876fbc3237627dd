/** What a sandbox does for the tests of those who integrate a till. */

export { type SandboxFault, setFaults, takeFault } from './faults';
export { resetSandbox } from './reset';
export { faultsInput, faultsOutput, resetInput, resetOutput } from './schemas';
export { hasTestData, seedTestData } from './test-data';
