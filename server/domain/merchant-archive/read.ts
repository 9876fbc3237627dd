import { pipeline as pipe, type Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32 } from 'node:zlib';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { newestMigration } from '@/db/operations/migrations-folder';
import { StartupError } from '@/db/startup-error';
import { type Manifest, Meter, manifestFile, manifestSchema } from './manifest';
import { archivedTables, fileOf, peopleFile } from './members';
import { fingerprintOf, signatureFile, signerOf } from './signature';

/** An archive that was checked: all files are there and unchanged. */
export interface OpenArchive {
  manifest: Manifest;
  /** The public key that signed it; null if it has no signature. */
  signer: string | null;
  /** The SHA-256 of the file. */
  fingerprint: string;
  /** Reads a file again. The stream fails at its end if the file was changed since it was checked. */
  open(file: string): Promise<Readable>;
  close(): void;
}

const maxManifestBytes = 1 << 20;

/**
 * Opens an archive, and reads it once to check every file. Errors: `StartupError` for a file that is no archive,
 * damaged, or of another schema than this release's.
 */
export async function openArchive(path: string): Promise<OpenArchive> {
  const zip = await openPromise(path, { autoClose: false }).catch((error) => {
    throw new StartupError(`${path} can't be read as an archive, or is cut off: ${error.message}.`);
  });
  try {
    const entries = await listEntries(zip);
    const manifestText = await readSmall(zip, entries.get(manifestFile));
    if (!manifestText) throw new StartupError('This is no archive of a merchant.');
    const manifest = parseManifest(manifestText);
    checkMigration(manifest);
    const read = (file: string) => zip.openReadStreamPromise(entries.get(file) as Entry);
    await checkMembers(manifest, entries, read);
    const open = async (file: string) => {
      const check = new UnchangedCheck(manifest, file);
      // Faults of the file pass on to the reader.
      pipe(await read(file), check, () => {});
      return check;
    };
    const signature = await readSmall(zip, entries.get(signatureFile));
    const signer = signature && signerOf(manifestText, signature);
    return { manifest, signer, fingerprint: await fingerprintOf(path), open, close: () => zip.close() };
  } catch (error) {
    zip.close();
    if (error instanceof StartupError) throw error;
    throw new StartupError(`${path} is damaged: ${error instanceof Error ? error.message : error}.`);
  }
}

async function listEntries(zip: ZipFile): Promise<Map<string, Entry>> {
  const entries = new Map<string, Entry>();
  for await (const entry of zip.eachEntry()) {
    if (entries.has(entry.fileName)) throw new StartupError(`The archive has ${entry.fileName} twice.`);
    entries.set(entry.fileName, entry);
  }
  return entries;
}

/** Returns the content of a small entry: the manifest or the signature. Null if the entry is missing or too large. */
async function readSmall(zip: ZipFile, entry: Entry | undefined): Promise<Buffer | null> {
  if (!entry || entry.uncompressedSize > maxManifestBytes) return null;
  const chunks: Buffer[] = [];
  for await (const chunk of await zip.openReadStreamPromise(entry)) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks);
  if (crc32(text) !== entry.crc32) throw new StartupError(`The archive is damaged: ${entry.fileName} was changed.`);
  return text;
}

function parseManifest(text: Buffer): Manifest {
  const { data, error } = manifestSchema.safeParse(JSON.parse(text.toString()));
  if (error) throw new StartupError('This archive of a merchant is of a release that this one does not know.');
  return data;
}

function checkMigration({ release, migration }: Manifest): void {
  const own = newestMigration();
  if (migration.hash === own.hash) return;
  const advice =
    migration.at < own.at
      ? `import it with release ${release} into a database of that release, then migrate that database`
      : 'update this deployment and migrate its database first';
  throw new StartupError(
    `The archive has the schema ${migration.tag} of release ${release}, and this release ${own.tag}: ${advice}.`,
  );
}

async function checkMembers(manifest: Manifest, entries: Map<string, Entry>, open: OpenArchive['open']): Promise<void> {
  const expected = [peopleFile, ...archivedTables.map(fileOf)];
  const listed = new Map(manifest.members.map((member) => [member.file, member]));
  for (const file of entries.keys())
    if (file !== manifestFile && file !== signatureFile && !listed.has(file))
      throw new StartupError(`The archive has ${file}, which it does not list.`);
  for (const file of expected) {
    const member = listed.get(file);
    if (!member || !entries.has(file)) throw new StartupError(`The archive lacks ${file}.`);
    const meter = new Meter();
    await pipeline(await open(file), meter, nowhere()).catch((error) => {
      throw new StartupError(`The archive is damaged: ${file} can't be read (${error.message}).`);
    });
    const { sha256, rows } = meter.memberOf(file);
    if (sha256 !== member.sha256 || rows !== member.rows)
      throw new StartupError(`The archive is damaged: ${file} does not match its checksum.`);
  }
}

/** Passes a file through, and fails at its end if the manifest has another sum of it. */
class UnchangedCheck extends Meter {
  constructor(
    private readonly manifest: Manifest,
    private readonly file: string,
  ) {
    super();
  }

  override _flush(done: (error: Error | null) => void): void {
    const { sha256 } = this.memberOf(this.file);
    const isChanged = this.manifest.members.some((one) => one.file === this.file && one.sha256 !== sha256);
    done(!isChanged ? null : new StartupError(`${this.file} was changed while it was read: nothing was imported.`));
  }
}

const nowhere = () => new Writable({ write: (_chunk, _encoding, done) => done() });
