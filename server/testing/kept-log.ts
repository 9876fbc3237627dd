import { Writable } from 'node:stream';
import pino from 'pino';
import { secretsIn } from '@/db/testing/secrets';
import type { Logger } from '@/server/observe/log';

export interface KeptLog {
  log: Logger;
  lines: string[];
  /** Throws if a line holds a secret. */
  check(): void;
}

/** A log of every level, kept in memory. */
export function keptLog(): KeptLog {
  const lines: string[] = [];
  const sink = new Writable({
    write(chunk, _, done) {
      lines.push(String(chunk));
      done();
    },
  });
  const check = () => {
    const secrets = secretsIn(lines.join(''));
    if (secrets.length > 0) throw new Error(`the log holds what it should not:\n${secrets.slice(0, 20).join('\n')}`);
  };
  return { log: pino({ level: 'trace' }, sink), lines, check };
}
