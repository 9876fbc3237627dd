import { isSameOrigin } from '@/server/auth/own-page';
import { getStaffSession } from '@/server/auth/session';
import { staffContext } from '@/server/domain/access';
import { receiveFile, uploadInput } from '@/server/domain/customer-imports';
import { DomainError } from '@/server/domain/kernel/errors';
import { type Sentence, say } from '@/server/domain/kernel/say';
import { getServices } from '@/server/environment/services';
import { merchantHeader } from '@/server/trpc/staff/merchant-header';

const refuse = (status: number, sentence: Sentence) => Response.json({ error: { sentence } }, { status });

/** Accepts a file of customers as the raw body; the query has its name, and how to read it. */
export async function POST(request: Request): Promise<Response> {
  if (!isSameOrigin(request)) return refuse(403, say('notOwnPage'));
  const person = await getStaffSession();
  const merchantId = request.headers.get(merchantHeader);
  try {
    const ctx = person && merchantId ? await staffContext(getServices(), person, merchantId) : null;
    if (!ctx) return refuse(401, say('signInAgain'));
    if (ctx.staff.role === 'cashier') return refuse(403, say('roleForbidden'));
    if (ctx.db.stores) return refuse(403, say('allStoresOnly'));
    const query = uploadInput.safeParse(Object.fromEntries(new URL(request.url).searchParams));
    if (!query.success || !request.body) return refuse(400, say('fileMissing'));
    const { name: fileName, ...choice } = query.data;
    return Response.json(await receiveFile(ctx, { fileName, body: request.body, choice }), { status: 201 });
  } catch (error) {
    if (error instanceof DomainError)
      return refuse(error.kind === 'forbidden' ? 403 : 400, error.issues[0]?.sentence ?? error.sentence);
    throw error;
  }
}

export const dynamic = 'force-dynamic';
