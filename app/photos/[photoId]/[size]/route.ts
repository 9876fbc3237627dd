import { readPhoto } from '@/server/domain/menu';
import { originsOfMoved } from '@/server/domain/merchants';
import { getServices } from '@/server/environment/services';

interface RouteProps {
  params: Promise<{ photoId: string; size: string }>;
}

/** A menu's photo, which is public. The content of its URL never changes. */
export async function GET(_: Request, { params }: RouteProps): Promise<Response> {
  const { photoId, size } = await params;
  const photo = await readPhoto(getServices(), { photoId, size });
  const [origin] = photo ? [] : await originsOfMoved(getServices(), 'photo', photoId);
  if (origin) return Response.redirect(`${origin}/photos/${photoId}/${size}`, 307);
  if (!photo) return new Response('There is no such photo.\n', { status: 404 });
  return new Response(new Uint8Array(photo), {
    headers: { 'content-type': 'image/webp', 'cache-control': 'public, max-age=31536000, immutable' },
  });
}
