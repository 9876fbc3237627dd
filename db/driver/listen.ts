import { setTimeout as wait } from 'node:timers/promises';
import type { Database } from './client';

/** How often an idle connection is probed, to detect one that died silently. */
const checkMs = 20_000;
const restartMs = 500;

interface Listener {
  /** Called at the start and after each reconnection: notifications sent in between are lost. */
  onStart(): void;
  onMessage(payload: string): void;
  /** Called once per outage, when the first attempt to listen fails, whether initially or after a cut. */
  onAway(error: unknown): void;
}

/**
 * Listens on a NOTIFY channel until `signal` aborts, on a dedicated connection that is reopened whenever it is lost.
 * The library's own `listen` tries that once and reports no failure.
 */
export async function listenToChannel(
  { openSession }: Database,
  channel: string,
  { onStart, onMessage, onAway }: Listener,
  signal: AbortSignal,
): Promise<void> {
  let cut = new AbortController();
  signal.addEventListener('abort', () => cut.abort(), { once: true });
  const sql = openSession({
    max: 1,
    idle_timeout: null,
    max_lifetime: null,
    fetch_types: false,
    onnotify: (_: string, payload: string) => onMessage(payload),
    onclose: () => cut.abort(),
  });
  let isAway = false;
  while (!signal.aborted) {
    cut = new AbortController();
    try {
      await sql.unsafe(`listen "${channel}"`);
      isAway = false;
      onStart();
      while (!cut.signal.aborted) {
        await pause(checkMs, cut.signal);
        if (!cut.signal.aborted) await sql`select 1`;
      }
    } catch (error) {
      // Not rethrown: the loop retries soon.
      if (!isAway && !signal.aborted) onAway(error);
      isAway = true;
    }
    await pause(restartMs, signal);
  }
  await sql.end({ timeout: 1 });
}

const pause = (ms: number, signal: AbortSignal): Promise<unknown> =>
  wait(ms, undefined, { signal, ref: false }).catch(() => {});
