import { ZodError } from 'zod';
import { getStaffSession } from '@/server/auth/session';
import { businessExport, openBusiness } from '@/server/csv/business';
import { exports } from '@/server/csv/exports';
import { recordedExport } from '@/server/csv/recorded';
import { type TableWriter, toCsv } from '@/server/csv/write';
import { workbookWriter } from '@/server/csv/xlsx';
import { logRefusedRole, staffContext } from '@/server/domain/access';
import { dateIn } from '@/server/domain/kernel/calendar';
import { requireConfirmed } from '@/server/domain/kernel/confirmed';
import type { StaffContext } from '@/server/domain/kernel/context';
import { DomainError } from '@/server/domain/kernel/errors';
import { toLocal } from '@/server/domain/kernel/zones';
import { openReport } from '@/server/domain/reports';
import { getServices } from '@/server/environment/services';

interface RouteProps {
  params: Promise<{ list: string }>;
}

const refuse = (status: number, message: string) =>
  new Response(`${message}\n`, { status, headers: { 'content-type': 'text/plain; charset=utf-8' } });

/** Exports a list as CSV or, with `format=xlsx`, for Excel; or all data of the business. It only reads, so a plain link can open it. */
export async function GET(request: Request, { params }: RouteProps): Promise<Response> {
  const { list } = await params;
  const { merchant: merchantId = '', format, ...query } = Object.fromEntries(new URL(request.url).searchParams);
  const person = await getStaffSession();
  try {
    const ctx = person && merchantId ? await staffContext(getServices(), person, merchantId) : null;
    if (!ctx) return refuse(401, 'Please sign in again.');
    const csv = Object.hasOwn(exports, list) ? exports[list] : undefined;
    const one = list === 'business' ? businessExport : csv;
    if (!one) return refuse(404, 'There is no such list.');
    if (!one.roles.includes(ctx.staff.role)) {
      await logRefusedRole(ctx, `export of ${list}`);
      return refuse(403, 'Your role does not allow this.');
    }
    if (one.isOfAllStores && ctx.db.stores) {
      await logRefusedRole(ctx, `export of ${list}`);
      return refuse(403, 'Only staff of all stores may do this.');
    }
    if (one.isSensitive) requireConfirmed(getServices(), ctx.staff);
    const reading = csv?.readsReplica ? await openReport(ctx) : { ctx, asOf: null };
    const [file, type, extension] = csv
      ? await openList(ctx, list, (write) => csv.open(reading.ctx, query, write), format)
      : ([await openBusiness(ctx), 'application/zip', 'zip'] as const);
    const fileName = `${list}-${timeOf(ctx, reading.asOf)}.${extension}`;
    return new Response(file, {
      headers: {
        'content-type': type,
        'content-disposition': `attachment; filename="${fileName}"`,
        'cache-control': 'no-store',
      },
    });
  } catch (error) {
    if (error instanceof DomainError) return refuse(statusOf(error), error.message);
    if (error instanceof ZodError) return refuse(400, 'The filter is not valid.');
    throw error;
  }
}

const statusOf = ({ kind }: DomainError) => (kind === 'forbidden' ? 403 : kind === 'unavailable' ? 503 : 400);

/** Opens a list as a file, with its type and the ending of its name. */
async function openList(
  ctx: StaffContext,
  list: string,
  open: (write: TableWriter) => ReadableStream<Uint8Array>,
  format?: string,
) {
  const writer = format === 'xlsx' ? workbookWriter(list, ctx.merchant) : toCsv;
  const file = await recordedExport(ctx, list, writer, open);
  return format === 'xlsx'
    ? ([file, 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'xlsx'] as const)
    : ([file, 'text/csv; charset=utf-8', 'csv'] as const);
}

/** The merchant's day. For rows that may be a little old, also the time: `2026-11-26-as-of-12.03.10`. */
function timeOf({ merchant, clock }: StaffContext, asOf: Date | null): string {
  if (!asOf) return dateIn(merchant, clock.now());
  const [date, time = ''] = toLocal(merchant.timeZone, asOf).toISOString().split('T');
  return `${date}-as-of-${time.slice(0, 8).replaceAll(':', '.')}`;
}
