import { z } from 'zod';
import { switchMerchant } from '@/server/auth/current-merchant';
import { isSameOrigin } from '@/server/auth/own-page';
import { getStaffSession } from '@/server/auth/session';
import { readBodyUpTo } from '@/server/limits/bounded-body';

const choice = z.strictObject({ merchantId: z.uuid() });
const maxBodyBytes = 1024;

const refuse = (status: number, message: string) => Response.json({ error: { message } }, { status });

/** Switches the merchant of newly opened pages. */
export async function POST(request: Request): Promise<Response> {
  if (!isSameOrigin(request)) return refuse(403, 'This request did not come from our own page.');
  const body = await readBodyUpTo(request, maxBodyBytes);
  const chosen = choice.safeParse(parse(body?.toString('utf8') ?? ''));
  if (!chosen.success) return refuse(400, 'The request must name a merchant.');
  const session = await getStaffSession();
  if (!session) return refuse(401, 'Please sign in again.');
  const isMember = await switchMerchant(session, chosen.data.merchantId);
  return isMember ? new Response(null, { status: 204 }) : refuse(403, 'You do not work for this business.');
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}

export const dynamic = 'force-dynamic';
