import { recordExport } from '@/server/domain/audit-log';
import type { StaffContext } from '@/server/domain/kernel/context';
import type { TableWriter } from './write';

/** Returns a writer that counts the rows that it writes. */
function countRows(write: TableWriter): { write: TableWriter; rows: () => number } {
  let count = 0;
  async function* counted<Row>(rows: AsyncIterable<Row>) {
    for await (const row of rows) {
      count += 1;
      yield row;
    }
  }
  return { write: (columns, rows) => write(columns, counted(rows)), rows: () => count };
}

/**
 * Opens a list as a file, and records who got it and its rows, even if it is cancelled or fails. If that
 * can't be recorded, the file fails at its end. Errors: those of the list, as far as they come before its first row.
 */
export async function recordedExport(
  ctx: StaffContext,
  list: string,
  writer: TableWriter,
  open: (write: TableWriter) => ReadableStream<Uint8Array>,
): Promise<ReadableStream<Uint8Array>> {
  const { write, rows } = countRows(writer);
  const reader = open(write).getReader();
  const record = () => recordExport(ctx, list, rows());
  const read = () =>
    reader.read().catch(async (error) => {
      await record();
      throw error;
    });
  // Read before the answer begins, so that a list that can't be had is a clear refusal and not a broken download.
  let next: Awaited<ReturnType<typeof read>> | null = await read();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = next ?? (await read());
      next = null;
      if (!done) return controller.enqueue(value);
      await record();
      controller.close();
    },
    async cancel(reason) {
      await Promise.all([reader.cancel(reason), record()]);
    },
  });
}
