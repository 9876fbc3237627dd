/** The whole built service, whose processes report their state. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@/db/operations/ports';
import { eventually } from '@/e2e/chaos/victims';
import { childOptions } from '../rest/processes';

export interface ProcessSample {
  samples: number;
  title: string;
  rss: number;
  /** After garbage collection. */
  heapUsed: number;
  /** Event-loop delay: the 99th percentile since the last sample. */
  delayMs: number;
  /** Files and sockets. */
  open: number;
}

export const authSecret = 'thirty-two characters, for a bench';

export interface SoakedService {
  origin: string;
  /** One sample per process, by its name. */
  sample(): Promise<Record<string, ProcessSample>>;
  stop(): Promise<void>;
}

export async function startProbedService(databaseUrl: string): Promise<SoakedService> {
  const folder = mkdtempSync(join(tmpdir(), 'loyalty-soak-'));
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const child = fork(
    join('server', 'cli', 'start.mjs'),
    childOptions({
      APP_ENV: 'sandbox',
      DATABASE_URL: databaseUrl,
      AUTH_SECRET: authSecret,
      DATA_SECRET: authSecret,
      PORT: String(port),
      PUBLIC_ORIGIN: origin,
      LOG_LEVEL: 'info',
      PROBE_FOLDER: folder,
      NODE_OPTIONS: `--require ${join(process.cwd(), 'bench', 'soak', 'probe.cjs')}`,
    }),
  );
  const read = (file: string): ProcessSample => JSON.parse(readFileSync(join(folder, file), 'utf8'));
  const sampleOne = async (file: string): Promise<ProcessSample | null> => {
    const { samples } = read(file);
    try {
      process.kill(Number(file.replace('.json', '')), 'SIGUSR2');
    } catch {
      return null; // It ended.
    }
    return eventually(() => {
      const sample = read(file);
      if (sample.samples === samples) throw new Error(`${sample.title} gave no sample`);
      return sample;
    }, 10_000);
  };
  const exited = once(child, 'exit');
  const stop = async () => {
    child.kill();
    await exited;
    rmSync(folder, { recursive: true });
  };
  try {
    await Promise.race([
      eventually(() => isReady(origin), 60_000),
      exited.then(() => Promise.reject(new Error('it ended'))),
    ]);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    origin,
    sample: async () => {
      const files = readdirSync(folder).filter((file) => file.endsWith('.json'));
      const samples = (await Promise.all(files.map(sampleOne))).filter((sample) => sample !== null);
      return Object.fromEntries(samples.map((sample) => [nameOf(sample), sample]));
    },
    stop,
  };
}

async function isReady(origin: string): Promise<void> {
  if (!(await fetch(`${origin}/api/ready`)).ok) throw new Error('the service is not ready');
}

const nameOf = ({ title }: ProcessSample) => (title.startsWith('next') ? 'next' : 'front door');
