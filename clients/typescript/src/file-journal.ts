/** A journal in a folder of this computer, one file for each entry. For Node and Electron. */
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Journal } from './queue.js';

const extension = '.json';
/** A file that is not written to its end. */
const unfinished = '.part';

/**
 * Keeps entries in `folder`, which is created. What was written survives a power cut. The files hold sales and names of
 * customers: only this user may read them.
 * Errors: those of the file system.
 */
export async function openFileJournal(folder: string): Promise<Journal> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // Left by a crash: `write` did not resolve.
  for (const name of await readdir(folder))
    if (name.endsWith(unfinished)) await rm(join(folder, name), { force: true });
  const pathOf = (name: string) => join(folder, `${name}${extension}`);
  return {
    async read() {
      const names = (await readdir(folder)).filter((name) => name.endsWith(extension)).sort();
      const entries = [];
      for (const name of names) {
        const text = await readFile(join(folder, name), 'utf8');
        entries.push({ name: name.slice(0, -extension.length), text });
      }
      return entries;
    },
    async write({ name, text }) {
      const part = `${pathOf(name)}${unfinished}`;
      const file = await open(part, 'w', 0o600);
      try {
        await file.writeFile(text);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(part, pathOf(name));
      await syncFolder(folder);
    },
    async remove(name) {
      await rm(pathOf(name), { force: true });
    },
  };
}

/** Makes a new name in the folder survive a power cut. Windows has no way to, and needs none. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
