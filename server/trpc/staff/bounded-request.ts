import { inEnglish } from '@/server/domain/kernel/in-english';
import { say } from '@/server/domain/kernel/say';
import { readBodyUpTo } from '@/server/limits/bounded-body';

export const maxBodyBytes = 1024 * 1024;
/** Enough for a menu's file of 4,000,000 characters. */
const maxMenuBytes = 16 * maxBodyBytes;
const menuImport = 'menu.importItems';

/**
 * Reads a request's body before anything parses it. Returns null if it is over 1 MiB, or over 16 MiB for a menu's file,
 * which only staff may send. A photo is passed on unread, because `uploadPhoto` has its own limit.
 */
export async function boundRequest(request: Request, isSignedIn: () => Promise<boolean>): Promise<Request | null> {
  const { url, method, headers, signal } = request;
  if (method === 'GET' || headers.get('content-type') === 'application/octet-stream') return request;
  const procedures = new URL(url).pathname.split('/').at(-1)?.split(',') ?? [];
  const isMenu = procedures.includes(menuImport) && (await isSignedIn());
  const body = await readBodyUpTo(request, isMenu ? maxMenuBytes : maxBodyBytes);
  return body && new Request(url, { method, headers, signal, body: new Uint8Array(body) });
}

/** The response to a body that is too large, in the form that tRPC's clients read. */
export function tooLarge(): Response {
  const sentence = say('requestTooLarge');
  const data = { code: 'PAYLOAD_TOO_LARGE', httpStatus: 413, reason: null, sentence, details: {}, issues: [] };
  return Response.json({ error: { message: inEnglish(sentence), code: -32013, data } }, { status: 413 });
}
