import { writeSync } from 'node:fs';
import { hostname } from 'node:os';
import pino from 'pino';
import { releaseVersion } from './release';
import { readUnwritten } from './unwritten';

export type Logger = pino.Logger;

/**
 * Limits output that waits while nothing can be written (the disk is full, or the reader is gone). Further lines are
 * dropped.
 */
const maxBufferedBytes = 4_194_304;

/**
 * The destination of log lines. They are buffered, because one write for each would take a tenth of a request's time.
 */
export const standardOutput = pino.destination({
  dest: 1,
  sync: false,
  minLength: 4_096,
  maxLength: maxBufferedBytes,
  periodicFlush: 200,
});
// The library retries with the next lines.
standardOutput.on('error', () => {});
// The library's own flush at process end would retry for ever.
standardOutput.flushSync = flushPending;

/** Writes pending output for at most a second. */
function flushPending(): void {
  const deadline = performance.now() + 1_000;
  let rest = readUnwritten(standardOutput);
  while (rest.length > 0 && performance.now() < deadline) {
    try {
      rest = rest.subarray(writeSync(1, rest));
    } catch (error) {
      // The reader is slow, so try again.
      if ((error as { code?: string }).code !== 'EAGAIN') return;
    }
  }
}

/**
 * Logs structured lines to standard output, each with the release and the instance that wrote it. They never hold a key,
 * PIN, phone number or e-mail address.
 */
export function createLogger(level: string): Logger {
  const base = { version: releaseVersion, instance: process.env.INSTANCE || hostname() };
  return pino({ level, base, timestamp: pino.stdTimeFunctions.isoTime }, standardOutput);
}

let sharedLogger: Logger | undefined;

/** The logger for code that is not given one. */
export function processLog(): Logger {
  sharedLogger ??= createLogger(process.env.LOG_LEVEL || 'info');
  return sharedLogger;
}

interface ErrorFacts {
  code?: string;
  constraint_name?: string;
  table_name?: string;
  routine?: string;
}

/**
 * Returns the parts of an error that may be logged. PostgreSQL's messages and details quote the row, so its errors are
 * reduced to code, table and constraint.
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
