/** Scheduled tasks as staff see and start them, and a sandbox’s clock. */

export { advanceClock, advanceClockByKey } from './advance-clock';
export { forgetOldRuns, recordRun, recordTask } from './record-run';
export { listAutomations, runNow, runNowTask } from './run-now';
export { type Automation, automations, type RunNowInput, runNowInput } from './schemas';
