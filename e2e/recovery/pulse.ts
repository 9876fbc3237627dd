/** Tills that send one transaction after the other and repeat each until it is answered: they show when a service fails. */
import { setTimeout as wait } from 'node:timers/promises';
import { type Pos, sendRequest, type Told } from '../chaos/clients';
import { type Stage, topUp } from './load';

const pulses = 2;
const everyMs = 100;

export interface Pulse {
  /** The longest time without a success since `from`, on `performance.now()`'s clock. */
  longestOutage(from: number): number;
  stop(): Promise<void>;
}

/** At one instance of the service. What it was told is added to `told`. */
export function startPulse(stage: Stage, pos: Pos, told: Told[]): Pulse {
  const successes: number[] = [];
  let isDone = false;
  const beat = async (name: string) => {
    for (let n = 0; !isDone; n++) {
      const { path, body } = topUp(stage, `${name}-${n}`);
      for (;;) {
        const { status, text } = await sendRequest(pos, 'POST', path, body);
        if (status === 200) {
          successes.push(performance.now());
          told.push({ path, body, status: 'completed', answer: text });
          break;
        }
        if (status !== null && status < 500 && status !== 429)
          throw new Error(`${name} was answered ${status} ${text}`);
        await wait(everyMs);
      }
      await wait(everyMs);
    }
  };
  const beats = Promise.all(
    Array.from({ length: pulses }, (_, n) => beat(`pulse-${new URL(pos.origin).hostname}-${n}`)),
  );
  // It is awaited at the end.
  beats.catch(() => {});
  return {
    longestOutage: (from) => {
      const times = [from, ...successes.filter((at) => at > from), performance.now()];
      return Math.max(...times.slice(1).map((at, n) => at - (times[n] as number)));
    },
    stop: async () => {
      isDone = true;
      await beats;
    },
  };
}
