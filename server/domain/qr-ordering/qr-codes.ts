import type { Row } from 'postgres';
import QRCode from 'qrcode';
import { type Tx, withMerchant } from '@/db/client';
import { auditPos } from '../core/audit';
import type { PosContext, Store } from '../core/context';
import { DomainError } from '../core/errors';
import { newId } from '../core/ids';
import { checkOccurredAt } from '../core/occurred-at';
import { requestedStore } from '../merchants/store';
import { ordersOf } from './orders';
import type {
  GenerateQrCodeInput,
  GenerateQrCodeOutput,
  InvalidateQrCodeInput,
  InvalidateQrCodeOutput,
  QrCode,
} from './schemas';
import { hashToken, tokenOf } from './token';

const defaultMinutes = 240;

/**
 * A code for a bill's guests to scan and order (specification, section 4.2: Generate QR Code). The same open bill has the
 * same code. Errors: `store_forbidden`, `store_not_found`.
 */
export async function generateQrCode(ctx: PosContext, input: GenerateQrCodeInput): Promise<GenerateQrCodeOutput> {
  checkOccurredAt(input.occurredAt, ctx.clock.now());
  const store = await requestedStore(ctx, input.storeCode);
  const row = await withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    for (let tries = 0; tries < 3; tries++) {
      const open = await openCode(tx, ctx, store, input);
      // None: the bill's code was closed at this very moment.
      if (open) return open;
    }
    throw new DomainError('service_unavailable', 'The QR code is being closed. Send the same request again.');
  });
  const url = `${ctx.publicOrigin}/q/${tokenOf(ctx.tokenKey, row.id)}`;
  const options = { errorCorrectionLevel: 'M', margin: 4 } as const;
  const [imageSvg, imagePng] = await Promise.all([
    QRCode.toString(url, { ...options, type: 'svg' }),
    QRCode.toDataURL(url, { ...options, scale: 8 }),
  ]);
  return {
    qrCodeId: row.id,
    billId: row.bill_id,
    table: row.table_name,
    status: 'active',
    url,
    imageSvg,
    imagePng,
    expiresAt: row.expires_at.toISOString(),
    createdAt: row.created_at.toISOString(),
  };
}

/** The bill's active code, made where there is none. An expired one makes room for the next. */
async function openCode(tx: Tx, ctx: PosContext, store: Store, input: GenerateQrCodeInput): Promise<Row | undefined> {
  const { merchantId, sql } = tx;
  const now = ctx.clock.now();
  const expiresAt = new Date(now.getTime() + (input.expiresInMinutes ?? defaultMinutes) * 60_000);
  const id = newId();
  const tokenHash = hashToken(tokenOf(ctx.tokenKey, id));
  const [, inserted] = await Promise.all([
    sql`
      update qr_codes set status = 'expired'
      where merchant_id = ${merchantId} and store_id = ${store.id} and bill_id = ${input.billId} and status = 'active'
        and expires_at <= ${now}`,
    sql`
      insert into qr_codes (merchant_id, id, store_id, bill_id, table_name, guests, token_hash, expires_at, created_at)
      values (${merchantId}, ${id}, ${store.id}, ${input.billId}, ${input.table ?? null}, ${input.guests ?? null},
        ${tokenHash}, ${expiresAt}, ${now})
      on conflict (merchant_id, store_id, bill_id) where status = 'active' do nothing
      returning id`,
  ]);
  if (inserted.count === 1) {
    await auditPos(tx, ctx, 'qrCode.generate', { kind: 'qrCode', id }, input);
  }
  const [row] = await sql`
    select id, bill_id, table_name, expires_at, created_at from qr_codes
    where merchant_id = ${merchantId} and store_id = ${store.id} and bill_id = ${input.billId} and status = 'active'`;
  return row;
}

/**
 * Closes a code when its bill is settled (specification, section 4.2: Invalidate QR Code); again: the same answer. The
 * row's lock makes orders wait: each is on the bill before, or refused. Errors: `qr_code_not_found`.
 */
export async function invalidateQrCode(ctx: PosContext, input: InvalidateQrCodeInput): Promise<InvalidateQrCodeOutput> {
  checkOccurredAt(input.occurredAt, ctx.clock.now());
  const store = await requestedStore(ctx, input.storeCode);
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const { merchantId, sql } = tx;
    const named = input.qrCodeId === undefined ? sql`bill_id = ${input.billId ?? ''}` : sql`id = ${input.qrCodeId}`;
    const [code] = await sql`
      select id, bill_id, status, invalidated_at from qr_codes
      where merchant_id = ${merchantId} and store_id = ${store.id} and ${named}
      order by status = 'active' desc, id desc limit 1 for update`;
    if (!code) throw qrCodeNotFound();
    // Once the row is ours: every order on the bill was placed before.
    const now = ctx.clock.now();
    if (code.status !== 'invalidated') {
      await sql`
        update qr_codes set status = 'invalidated', invalidated_at = ${now}
        where merchant_id = ${merchantId} and id = ${code.id}`;
      await auditPos(tx, ctx, 'qrCode.invalidate', { kind: 'qrCode', id: code.id }, input);
    }
    const invalidatedAt: Date = code.invalidated_at ?? now;
    return {
      qrCodeId: code.id,
      billId: code.bill_id,
      status: 'invalidated',
      invalidatedAt: invalidatedAt.toISOString(),
    };
  });
}

/** A code with its orders. Errors: `qr_code_not_found`. */
export async function getQrCode(
  ctx: PosContext,
  input: { qrCodeId: string; storeCode?: string | undefined },
): Promise<QrCode> {
  const store = await requestedStore(ctx, input.storeCode);
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const { merchantId, sql } = tx;
    const [row] = await sql`
      select id, bill_id, table_name, guests, status, expires_at, created_at, invalidated_at from qr_codes
      where merchant_id = ${merchantId} and store_id = ${store.id} and id = ${input.qrCodeId}`;
    if (!row) throw qrCodeNotFound();
    const isOver = row.status === 'active' && row.expires_at <= ctx.clock.now();
    return {
      qrCodeId: row.id,
      billId: row.bill_id,
      table: row.table_name,
      guests: row.guests,
      status: isOver ? 'expired' : row.status,
      expiresAt: row.expires_at.toISOString(),
      createdAt: row.created_at.toISOString(),
      invalidatedAt: row.invalidated_at?.toISOString() ?? null,
      orders: await ordersOf(tx, row.id),
    };
  });
}

function qrCodeNotFound(): DomainError {
  return new DomainError('qr_code_not_found', 'There is no such QR code at this store.');
}
