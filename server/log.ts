import pino from 'pino';

export type Logger = pino.Logger;

/** Structured lines on standard output. Nobody's key, PIN, phone number or e-mail address is ever given to it. */
export function createLogger(level: string): Logger {
  return pino(
    { level, base: undefined, timestamp: pino.stdTimeFunctions.isoTime },
    // Many lines at once: a write for each would be a tenth of what a request costs.
    pino.destination({ dest: 1, sync: false, minLength: 4_096, periodicFlush: 200 }),
  );
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
