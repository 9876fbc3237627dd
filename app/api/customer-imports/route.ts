import { z } from 'zod';
import { isFromOwnPage } from '@/server/auth/own-page';
import { getStaffSession } from '@/server/auth/session';
import { DomainError } from '@/server/domain/core/errors';
import { receiveFile } from '@/server/domain/customer-imports/upload';
import { staffContext } from '@/server/domain/staff/context';
import { getServices } from '@/server/services';
import { merchantHeader } from '@/server/trpc/staff/merchant-header';

const fileName = z.string().min(1).max(200);

const refuse = (status: number, message: string) => Response.json({ error: { message } }, { status });

/** Accepts a CSV file of customers as the raw body; `?name=` is its name. */
export async function POST(request: Request): Promise<Response> {
  if (!isFromOwnPage(request)) return refuse(403, 'This request did not come from our own page.');
  const person = await getStaffSession();
  const merchantId = request.headers.get(merchantHeader);
  const ctx = person && merchantId ? await staffContext(getServices(), person, merchantId) : null;
  if (!ctx) return refuse(401, 'Please sign in again.');
  if (ctx.staff.role === 'cashier') return refuse(403, 'Your role does not allow this.');
  const name = fileName.safeParse(new URL(request.url).searchParams.get('name'));
  if (!name.success || !request.body) return refuse(400, 'The request must have a file and its name.');
  try {
    return Response.json(await receiveFile(ctx, { fileName: name.data, body: request.body }), { status: 201 });
  } catch (error) {
    if (error instanceof DomainError) return refuse(400, error.issues[0]?.message ?? error.message);
    throw error;
  }
}

export const dynamic = 'force-dynamic';
