/** The files with our texts: one for each place and language, such as `components/messages/zh/bills.json`. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { languages } from '../domain/kernel/context';
import { sentences } from '../domain/kernel/sentences';
import { type CountedText, flattenTexts } from '../domain/kernel/texts';

export interface TextFile {
  path: string;
  language: string;
  /** By their path in the file. */
  texts: Map<string, string | CountedText>;
  /** Empty if English has no such file. */
  english: Map<string, string | CountedText>;
}

/** Errors in the back office use the domain's sentences. Its English file has only those with another wording. */
const errorsFile = join('components', 'messages', 'en', 'errors.json');

/** Returns the files of all languages except English. A missing file counts as one without texts. */
export function readTextFiles(root = '.'): TextFile[] {
  const read = (path: string): [string, string | CountedText][] => {
    try {
      return flattenTexts(JSON.parse(readFileSync(join(root, path), 'utf8')));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw error;
    }
  };
  const readEnglish = (path: string) =>
    new Map([...(path === errorsFile ? Object.entries(sentences) : []), ...read(path)]);
  return findTextFolders(root).flatMap((folder) => {
    const files = languages.flatMap((language) => listJson(join(root, folder, language)));
    return [...new Set(files)].flatMap((file) => {
      const english = readEnglish(join(folder, 'en', file));
      return languages
        .filter((language) => language !== 'en')
        .map((language): TextFile => {
          const path = join(folder, language, file);
          return { path, language, english, texts: new Map(read(path)) };
        });
    });
  });
}

/** Names each missing text: `components/messages/zh/bills.json: title`. Its readers see English. */
export const listMissingTexts = (root?: string): string[] =>
  readTextFiles(root).flatMap(({ path, texts, english }) =>
    [...english.keys()].filter((key) => !texts.has(key)).map((key) => `${path}: ${key}`),
  );

/** The folders with a subfolder for each language. */
const findTextFolders = (root: string): string[] =>
  ['components', 'server'].flatMap((top) =>
    readdirSync(join(root, top), { recursive: true, encoding: 'utf8' })
      .filter((path) => /(^|[\\/])en$/.test(path))
      .map((path) => join(top, path, '..')),
  );

function listJson(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith('.json'));
  } catch {
    return [];
  }
}
