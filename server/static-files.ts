/** The browser's files of a build, from the disk as they were compressed when it was made. */
import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join, relative, sep } from 'node:path';
import { pipeline } from 'node:stream';
import { everyAnswer } from './every-answer.js';

/** Where a build's files are, and the address that they are asked by: their names change with what is in them. */
export const staticFolder = join('.next', 'static');
const staticPath = '/_next/static/';

/** What is worth compressing, and its content type. */
export const compressible: Record<string, string> = {
  '.js': 'application/javascript; charset=UTF-8',
  '.css': 'text/css; charset=UTF-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json; charset=UTF-8',
};

export interface StaticFiles {
  /** Answers what it has in the client's encoding; false for anything else, which Next answers. */
  serve(request: IncomingMessage, response: ServerResponse): boolean;
}

/** Knows the compressed files of `folder` from the start on: no address leads anywhere else. */
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
    for (const { key, value } of everyAnswer) response.setHeader(key, value);
    response.writeHead(200, {
      'content-type': compressible[extname(path)],
      'content-encoding': 'br',
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'accept-encoding',
    });
    if (method === 'HEAD') response.end();
    // A client that leaves ends the reading, which would otherwise hold the file open.
    else pipeline(createReadStream(file), response, () => {});
    return true;
  }
  return { serve };
}
