/** One slice of load on one contestant, and its cost. */
import type { Load } from './jobs';
import type { Sender, Sent } from './load';
import type { RunningServer } from './processes';
import { cpuSeconds, cpuSecondsOfAll } from './usage';

export interface Contestant {
  sender: Sender;
  /** Empty: the sender uses the database directly. */
  servers: RunningServer[];
  postmasterPid: number;
  /** Overrides the slice's. */
  clients?: number;
}

export interface Sample extends Sent {
  /** Microseconds of CPU per request: of the servers, and of the database. */
  appCpu: number;
  databaseCpu: number;
  /** The sum of both. */
  cpu: number;
}

export interface Slice {
  load: Load;
  clients: number;
  seconds: number;
}

export async function measureContestant(contestant: Contestant, slice: Slice): Promise<Sample> {
  const { sender, servers, postmasterPid, clients = slice.clients } = contestant;
  const appSeconds = () => servers.reduce((sum, { pid }) => sum + cpuSeconds(pid), 0);
  const before = { app: appSeconds(), database: cpuSecondsOfAll(postmasterPid) };
  const sent = await sender.send({ ...slice, clients, origins: servers.map(({ origin }) => origin) });
  const perRequest = (seconds: number) => (seconds * 1_000_000) / sent.requests;
  const appCpu = perRequest(appSeconds() - before.app);
  const databaseCpu = perRequest(cpuSecondsOfAll(postmasterPid) - before.database);
  return { ...sent, appCpu, databaseCpu, cpu: appCpu + databaseCpu };
}

/** Measures each contestant `rounds` times, in turn; each round starts with another one. */
export async function measureInTurn<Name extends string>(
  contestants: Record<Name, Contestant>,
  slice: Slice,
  rounds: number,
): Promise<Record<Name, Sample[]>> {
  const names = Object.keys(contestants) as Name[];
  const samples = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Name, Sample[]>;
  for (let round = 0; round < rounds; round++) {
    for (let n = 0; n < names.length; n++) {
      const name = names[(round + n) % names.length] as Name;
      samples[name].push(await measureContestant(contestants[name], slice));
    }
  }
  return samples;
}

export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2
    ? (sorted[middle] as number)
    : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2;
}

export const medianOf = (samples: Sample[], field: keyof Sample): number => median(samples.map((one) => one[field]));

/** The median of the rounds' ratios: other load on the machine affects both sides of a round alike. */
export const ratioOf = (ours: Sample[], theirs: Sample[], field: keyof Sample): number =>
  median(ours.map((one, round) => one[field] / (theirs[round] as Sample)[field]));
