import { env } from '@/server/env';

/** Whether a page of ours sent it: what changes something refuses a foreign, null or missing origin. */
export function isFromOwnPage(request: Request, publicOrigin = env().PUBLIC_ORIGIN): boolean {
  return request.headers.get('origin') === new URL(publicOrigin).origin;
}
