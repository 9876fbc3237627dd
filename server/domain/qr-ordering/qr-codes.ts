import { and, eq } from 'drizzle-orm';
import { withMerchant } from '@/db/driver';
import { type Given, prepare } from '@/db/query/queries';
import { qrCodes } from '@/db/schema';
import { auditPos } from '../kernel/audit';
import type { PosContext } from '../kernel/context';
import { checkOccurredAt } from '../kernel/occurred-at';
import { requestedStore } from '../merchants';
import {
  closeCode,
  codeColumns,
  codeUrl,
  describeCode,
  type NamedCode,
  openCode,
  prolongedCode,
  qrCodeNotFound,
} from './bill-code';
import { pngOf, svgOf } from './code-images';
import { ordersOf } from './orders';
import type {
  GenerateQrCodeInput,
  GenerateQrCodeOutput,
  InvalidateQrCodeInput,
  InvalidateQrCodeOutput,
  QrCode,
} from './schemas';

/**
 * Creates a code with which diners order on a bill (specification, section 4.2: Generate QR Code). An open bill keeps
 * its code. Errors: `store_forbidden`, `store_not_found`.
 */
export async function generateQrCode(ctx: PosContext, input: GenerateQrCodeInput): Promise<GenerateQrCodeOutput> {
  checkOccurredAt(input.occurredAt, ctx.clock.now(), ctx.merchant);
  const store = await requestedStore(ctx, input.storeCode);
  const code = await withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const opened = await openCode(tx, ctx, store.id, input);
    const subject = { kind: 'qrCode', id: opened.id };
    if (opened.isNew) await auditPos(tx, ctx, 'qrCode.generate', subject, input);
    if (opened.prolongedFrom) await auditPos(tx, ctx, 'qrCode.prolong', subject, input, prolongedCode(opened));
    return opened;
  });
  const url = codeUrl(ctx, code);
  return {
    qrCodeId: code.id,
    billId: input.billId,
    table: code.table,
    guests: code.guests,
    status: 'active',
    url,
    imageSvg: await svgOf(url),
    imagePng: pngOf(url),
    expiresAt: code.expiresAt.toISOString(),
    createdAt: code.createdAt.toISOString(),
  };
}

/**
 * Closes a code when its bill is settled (specification, section 4.2: Invalidate QR Code). Closing it again returns the
 * same result. Errors: `qr_code_not_found`.
 */
export async function invalidateQrCode(ctx: PosContext, input: InvalidateQrCodeInput): Promise<InvalidateQrCodeOutput> {
  checkOccurredAt(input.occurredAt, ctx.clock.now(), ctx.merchant);
  const store = await requestedStore(ctx, input.storeCode);
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const { qrCodeId, billId = '' } = input;
    const named: Omit<NamedCode, 'storeId'> =
      qrCodeId === undefined ? { by: 'billId', key: billId } : { by: 'id', key: qrCodeId };
    const code = await closeCode(tx, { storeId: store.id, ...named }, ctx);
    if (code.wasOpen) await auditPos(tx, ctx, 'qrCode.invalidate', { kind: 'qrCode', id: code.id }, input);
    return {
      qrCodeId: code.id,
      billId: code.billId,
      status: 'invalidated',
      invalidatedAt: code.invalidatedAt.toISOString(),
    };
  });
}

const findStoreCode = prepare((db, given: Given<{ merchantId: string; storeId: string; qrCodeId: string }>) =>
  db
    .select(codeColumns)
    .from(qrCodes)
    .where(
      and(eq(qrCodes.merchantId, given.merchantId), eq(qrCodes.storeId, given.storeId), eq(qrCodes.id, given.qrCodeId)),
    ),
);

/** Returns a code with its orders. Errors: `qr_code_not_found`. */
export async function getQrCode(
  ctx: PosContext,
  input: { qrCodeId: string; storeCode?: string | undefined },
): Promise<QrCode> {
  const store = await requestedStore(ctx, input.storeCode);
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const { merchantId, db } = tx;
    const [row] = await findStoreCode(db, { merchantId, storeId: store.id, qrCodeId: input.qrCodeId });
    if (!row) throw qrCodeNotFound();
    return { ...describeCode(row, ctx.clock.now()), orders: await ordersOf(tx, row.id) };
  });
}
