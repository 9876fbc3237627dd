import { writeSync } from 'node:fs';
import pino from 'pino';
import { unwritten } from './unwritten';

export type Logger = pino.Logger;

/** What waits to be written while nothing can be (the disk is full, nobody reads); lines beyond it are dropped. */
const mostWaitingBytes = 4_194_304;

/** Where the log's lines go. Many at once: a write for each would be a tenth of what a request costs. */
export const standardOutput = pino.destination({
  dest: 1,
  sync: false,
  minLength: 4_096,
  maxLength: mostWaitingBytes,
  periodicFlush: 200,
});
// Tried again with the next lines.
standardOutput.on('error', () => {});
// The library's own, at the end of the process, would try for ever.
standardOutput.flushSync = writeWaiting;

/** Writes what waits, as far as it can be within a second. */
function writeWaiting(): void {
  const deadline = performance.now() + 1_000;
  let rest = unwritten(standardOutput);
  while (rest.length > 0 && performance.now() < deadline) {
    try {
      rest = rest.subarray(writeSync(1, rest));
    } catch (error) {
      // The reader is behind.
      if ((error as { code?: string }).code !== 'EAGAIN') return;
    }
  }
}

/** Structured lines on standard output. Nobody's key, PIN, phone number or e-mail address is ever given to it. */
export function createLogger(level: string): Logger {
  return pino({ level, base: undefined, timestamp: pino.stdTimeFunctions.isoTime }, standardOutput);
}

let ofProcess: Logger | undefined;

/** The log of what nobody hands one to. */
export function processLog(): Logger {
  ofProcess ??= createLogger(process.env.LOG_LEVEL || 'info');
  return ofProcess;
}

interface ErrorFacts {
  code?: string;
  constraint_name?: string;
  table_name?: string;
  routine?: string;
}

/**
 * What may be logged of a fault. PostgreSQL's messages and details quote the row, so of its errors only the code,
 * the table and the constraint are kept.
 */
export function safeError(fault: unknown): Record<string, unknown> {
  if (!(fault instanceof Error)) return { error: typeof fault };
  const { code, constraint_name, table_name, routine } = fault as ErrorFacts;
  const isFromDatabase = fault.name === 'PostgresError';
  const stack = fault.stack
    ?.split('\n')
    .filter((line) => line.startsWith('    at '))
    .slice(0, 8);
  return {
    error: fault.name,
    errorMessage: isFromDatabase ? undefined : fault.message.slice(0, 300),
    errorCode: code,
    constraint: constraint_name,
    table: table_name,
    routine,
    stack,
  };
}
