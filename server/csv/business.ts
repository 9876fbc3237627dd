import { Readable } from 'node:stream';
import { recordExport } from '@/server/domain/audit-log';
import type { StaffContext } from '@/server/domain/kernel/context';
import { exportMerchant } from '@/server/domain/merchant-archive';
import { releaseVersion } from '@/server/observe/release';
import type { Export } from './export';

/** Who may download all data of the business as a zip file. */
export const businessExport: Omit<Export, 'open'> = { roles: ['owner'], isOfAllStores: true, isSensitive: true };

/**
 * Streams the file, without secrets, over its own connection. Records who got it and the rows that were sent, even if
 * it is cancelled. Errors: `export_in_progress`.
 */
export async function openBusiness(ctx: StaffContext): Promise<ReadableStream<Uint8Array>> {
  // The reader may be slow, so it gets its own session. Row-level security binds it like any other.
  const session = ctx.db.openSession({ max: 1, answer_timeout: 120 });
  const { file, written, rows } = await exportMerchant(session, {
    merchantId: ctx.merchant.id,
    release: releaseVersion,
    secretIds: null,
    environment: ctx.environment,
    signingKey: ctx.archiveKeys.own,
    now: ctx.systemClock.now(),
  });
  const record = () => recordExport(ctx, 'business', rows());
  written.then(record, record).catch((error) => file.destroy(error));
  return Readable.toWeb(file) as ReadableStream<Uint8Array>;
}
