/** A bill's code, which a POS or a member of staff may ask for. */
import type { Row } from 'postgres';
import QRCode from 'qrcode';
import type { Fragment, Tx } from '@/db/client';
import { announce } from '../core/changes';
import type { Clock } from '../core/clock';
import type { Services } from '../core/context';
import { DomainError } from '../core/errors';
import { newId } from '../core/ids';
import { hashToken } from '../core/token';
import { tokenOf } from './token';

const defaultMinutes = 240;

interface CodeWish {
  billId: string;
  table?: string | undefined;
  guests?: number | null | undefined;
  expiresInMinutes?: number | undefined;
}

export interface OpenCode {
  id: string;
  table: string | null;
  guests: number | null;
  expiresAt: Date;
  createdAt: Date;
  /** Whether it was made just now. */
  isNew: boolean;
  /** Until when it would have lasted, where it was made to last longer just now; else null. */
  prolongedFrom: Date | null;
}

/**
 * The bill's active code, made where there is none. An expired one makes room for the next; one that is open lasts longer
 * where `expiresInMinutes` says so, never shorter. Until the commit the store does not close. Errors: `store_not_found`, of a closed store as well,
 * `service_unavailable` where it is closed again and again at the very same time.
 */
export async function openCode(tx: Tx, services: Services, storeId: string, wish: CodeWish): Promise<OpenCode> {
  const { merchantId, sql } = tx;
  const [store] = await sql`
    select from stores where merchant_id = ${merchantId} and id = ${storeId} and closed_at is null for key share`;
  if (!store) throw new DomainError('store_not_found', 'There is no such store, or it is closed.');
  for (let tries = 0; tries < 3; tries++) {
    const code = await tryToOpen(tx, services, storeId, wish);
    // None: the bill's code was closed at this very moment.
    if (code) return code;
  }
  throw new DomainError('service_unavailable', 'The QR code is being closed. Send the same request again.');
}

async function tryToOpen(
  tx: Tx,
  { clock, tokenKey }: Services,
  storeId: string,
  { billId, table, guests, expiresInMinutes }: CodeWish,
): Promise<OpenCode | null> {
  const { merchantId, sql } = tx;
  const now = clock.now();
  const expiresAt = new Date(now.getTime() + (expiresInMinutes ?? defaultMinutes) * 60_000);
  const id = newId();
  const tokenHash = hashToken(tokenOf(tokenKey, id));
  const isWished = expiresInMinutes !== undefined;
  // A repeat of the same request is no wish for more.
  const worthwhile = new Date(expiresAt.getTime() - 60_000);
  const [, inserted, [prolonged], [row]] = await Promise.all([
    sql`
      update qr_codes set status = 'expired'
      where merchant_id = ${merchantId} and store_id = ${storeId} and bill_id = ${billId} and status = 'active'
        and expires_at <= ${now}`,
    sql`
      insert into qr_codes (merchant_id, id, store_id, bill_id, table_name, guests, token_hash, expires_at, created_at)
      values (${merchantId}, ${id}, ${storeId}, ${billId}, ${table ?? null}, ${guests ?? null}, ${tokenHash},
        ${expiresAt}, ${now})
      on conflict (merchant_id, store_id, bill_id) where status = 'active' do nothing
      returning id`,
    sql`
      update qr_codes q set expires_at = ${expiresAt} from (
        select id, expires_at from qr_codes
        where merchant_id = ${merchantId} and store_id = ${storeId} and bill_id = ${billId} and status = 'active'
          and expires_at < ${worthwhile} and ${isWished}::boolean for update
      ) before
      where q.merchant_id = ${merchantId} and q.id = before.id returning before.expires_at`,
    sql`
      select id, table_name, guests, expires_at, created_at from qr_codes
      where merchant_id = ${merchantId} and store_id = ${storeId} and bill_id = ${billId} and status = 'active'`,
  ]);
  const isNew = inserted.count === 1;
  if (!row) return null;
  if (isNew || prolonged) await announce(tx, 'qrCodes', row.id);
  const { id: codeId, table_name, guests: begunWith, expires_at, created_at } = row;
  const prolongedFrom = prolonged?.expires_at ?? null;
  return {
    id: codeId,
    table: table_name,
    guests: begunWith,
    expiresAt: expires_at,
    createdAt: created_at,
    isNew,
    prolongedFrom,
  };
}

/** What a code that was made to last longer leaves in the audit log. */
export const prolonging = ({ prolongedFrom, expiresAt }: OpenCode) => ({
  before: { expiresAt: prolongedFrom },
  after: { expiresAt },
});

/** A closed code; `wasOpen` where it was closed just now. */
export interface ClosedCode {
  id: string;
  billId: string;
  invalidatedAt: Date;
  wasOpen: boolean;
}

/**
 * Closes a code when its bill is settled; again: the same answer. The row's lock makes orders wait: each is on the bill
 * before, or refused. Errors: `qr_code_not_found`.
 */
export async function closeCode(tx: Tx, condition: Fragment, clock: Clock): Promise<ClosedCode> {
  const { merchantId, sql } = tx;
  const [code] = await sql`
    select id, bill_id, status, invalidated_at from qr_codes
    where merchant_id = ${merchantId} and ${condition}
    order by status = 'active' desc, id desc limit 1 for update`;
  if (!code) throw qrCodeNotFound();
  // Once the row is ours: every order on the bill was placed before.
  const now = clock.now();
  const wasOpen = code.status !== 'invalidated';
  if (wasOpen) {
    await Promise.all([
      sql`
        update qr_codes set status = 'invalidated', invalidated_at = ${now}
        where merchant_id = ${merchantId} and id = ${code.id}`,
      announce(tx, 'qrCodes', code.id),
    ]);
  }
  return { id: code.id, billId: code.bill_id, invalidatedAt: code.invalidated_at ?? now, wasOpen };
}

/** The columns of a code that `describeCode` reads. */
export const codeColumns = 'id, bill_id, table_name, guests, status, expires_at, created_at, invalidated_at';

/** A code as it stands: expired as soon as its time is over, whatever is written. */
export function describeCode(row: Row, now: Date) {
  const isOver = row.status === 'active' && row.expires_at <= now;
  return {
    qrCodeId: row.id as string,
    billId: row.bill_id as string,
    table: row.table_name as string | null,
    guests: row.guests as number | null,
    status: (isOver ? 'expired' : row.status) as 'active' | 'invalidated' | 'expired',
    expiresAt: row.expires_at.toISOString() as string,
    createdAt: row.created_at.toISOString() as string,
    invalidatedAt: (row.invalidated_at?.toISOString() ?? null) as string | null,
  };
}

/** The ordering page's address. Its token is derived each time, because none is kept. */
export const codeUrl = ({ publicOrigin, tokenKey }: Services, qrCodeId: string): string =>
  `${publicOrigin}/q/${tokenOf(tokenKey, qrCodeId)}`;

const imageOptions = { errorCorrectionLevel: 'M', margin: 4 } as const;
export const svgOf = (url: string): Promise<string> => QRCode.toString(url, { ...imageOptions, type: 'svg' });
export const pngOf = (url: string): Promise<string> => QRCode.toDataURL(url, { ...imageOptions, scale: 8 });

export function qrCodeNotFound(): DomainError {
  return new DomainError('qr_code_not_found', 'There is no such QR code at this store.');
}
