import { recordExport } from '@/server/domain/audit-log';
import type { StaffContext } from '@/server/domain/kernel/context';

const [quote, lineFeed] = [0x22, 0x0a];

/** Counts a file's rows without the headings. Line feeds within quotes belong to a cell. */
function createRowCounter() {
  let isQuoted = false;
  let lines = 0;
  return {
    add(chunk: Uint8Array): void {
      for (const byte of chunk) {
        if (byte === quote) isQuoted = !isQuoted;
        else if (byte === lineFeed && !isQuoted) lines += 1;
      }
    },
    rows: () => Math.max(0, lines - 1),
  };
}

/**
 * Passes a file through, and records who got it and the rows that were sent, even if it is cancelled or fails. If that
 * can't be recorded, the file fails at its end.
 */
export function recordedExport(
  ctx: StaffContext,
  list: string,
  file: ReadableStream<Uint8Array>,
): ReadableStream<Uint8Array> {
  const reader = file.getReader();
  const counter = createRowCounter();
  const record = () => recordExport(ctx, list, counter.rows());
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await reader.read().catch(async (error) => {
        await record();
        throw error;
      });
      if (!done) {
        counter.add(value);
        return controller.enqueue(value);
      }
      await record();
      controller.close();
    },
    async cancel(reason) {
      await Promise.all([reader.cancel(reason), record()]);
    },
  });
}
