import { brandSheet } from '@/components/diner/brand-sheet';

interface RouteProps {
  params: Promise<{ sheet: string }>;
}

/** The style sheet of a merchant's colour, such as `/brand/c8102e.css`. The content of its URL changes with releases only. */
export async function GET(_: Request, { params }: RouteProps): Promise<Response> {
  const [, colour] = /^([0-9a-f]{6})\.css$/.exec((await params).sheet) ?? [];
  if (!colour) return new Response('There is no such style sheet.\n', { status: 404 });
  return new Response(brandSheet(`#${colour}`), {
    headers: { 'content-type': 'text/css', 'cache-control': 'public, max-age=86400' },
  });
}
