import { env } from '@/server/environment/env';

/** True if one of our own pages sent the request. Changes are refused for a foreign, null or missing origin. */
export function isSameOrigin(request: Request, publicOrigin = env().PUBLIC_ORIGIN): boolean {
  return request.headers.get('origin') === new URL(publicOrigin).origin;
}
