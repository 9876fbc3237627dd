/** Serves a build's browser files from disk, as the build compressed them. */
import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join, relative, sep } from 'node:path';
import { pipeline } from 'node:stream';
import { releaseRoot } from '@/server/observe/release';
import { securityHeaders } from './every-answer.js';

/** The folder of a build's files, and their URL path. File names change with their content. */
export const staticFolder = join(releaseRoot, '.next', 'static');
const staticPath = '/_next/static/';

/** Files worth compressing, and their content types. */
export const compressibleTypes: Record<string, string> = {
  '.js': 'application/javascript; charset=UTF-8',
  '.css': 'text/css; charset=UTF-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json; charset=UTF-8',
};

export interface StaticFiles {
  /** Serves a file of the build if the client accepts its encoding. Otherwise returns false, and Next responds. */
  serve(request: IncomingMessage, response: ServerResponse): boolean;
}

/** Lists the compressed files of `folder` once, at start, so that no path can lead elsewhere. */
export async function readStaticFiles(folder = staticFolder): Promise<StaticFiles> {
  const files = new Map<string, string>();
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const entry of entries) {
    const file = join(entry.parentPath, entry.name);
    const name = relative(folder, file).split(sep).join('/');
    if (entry.isFile() && name.endsWith('.br')) files.set(`${staticPath}${name.slice(0, -3)}`, file);
  }

  function serve({ url = '', method, headers }: IncomingMessage, response: ServerResponse): boolean {
    if (!url.startsWith(staticPath)) return false;
    const path = url.split('?')[0] ?? '';
    const file = files.get(path);
    const isAccepted = /\bbr\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/.test(String(headers['accept-encoding']));
    if (!file || !isAccepted || (method !== 'GET' && method !== 'HEAD')) return false;
    for (const { key, value } of securityHeaders) response.setHeader(key, value);
    response.writeHead(200, {
      'content-type': compressibleTypes[extname(path)],
      'content-encoding': 'br',
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'accept-encoding',
    });
    if (method === 'HEAD') response.end();
    // If the client disconnects, `pipeline` closes the file.
    else pipeline(createReadStream(file), response, () => {});
    return true;
  }
  return { serve };
}
