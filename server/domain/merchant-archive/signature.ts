/** The signature by which a deployment recognizes its own archives, and those of deployments that it knows. */
import { createHash, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { StartupError } from '@/db/startup-error';
import type { ArchiveKeys } from '../kernel/context';

export const signatureFile = 'signature.json';

const signatureSchema = z.object({
  /** The signer's public key (Ed25519, SPKI) in base64. */
  key: z.base64(),
  /** Of the manifest's bytes, and so, by its checksums, of every file. */
  signature: z.base64(),
});

/** Returns a public key, or that of a private key, as settings and archives write it. */
export function publicKeyText(key: KeyObject): string {
  const publicKey = key.type === 'private' ? createPublicKey(key as never) : key;
  return publicKey.export({ format: 'der', type: 'spki' }).toString('base64');
}

export function signManifest(manifest: Buffer, key: KeyObject): Buffer {
  const signature = sign(null, manifest, key).toString('base64');
  return Buffer.from(`${JSON.stringify({ key: publicKeyText(key), signature }, null, 2)}\n`);
}

/**
 * Returns the public key that signed the manifest; whether to trust it is `checkOrigin`'s question. Errors:
 * `StartupError` if the manifest was changed after it was signed.
 */
export function signerOf(manifest: Buffer, signatureText: Buffer): string {
  const { data } = signatureSchema.safeParse(JSON.parse(signatureText.toString()));
  if (!data || !isSigned(manifest, data))
    throw new StartupError('The archive was changed after it was signed: nothing was imported.');
  return data.key;
}

function isSigned(manifest: Buffer, { key, signature }: z.infer<typeof signatureSchema>): boolean {
  try {
    const publicKey = createPublicKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'spki' });
    return (
      publicKey.asymmetricKeyType === 'ed25519' && verify(null, manifest, publicKey, Buffer.from(signature, 'base64'))
    );
  } catch {
    return false;
  }
}

/** Returns the SHA-256 of a file in hexadecimal, as `sha256sum` prints it. */
export async function fingerprintOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

/**
 * Errors: `StartupError` unless a known deployment signed the archive, or the operator named the file's fingerprint.
 * A fingerprint that was named has to be right in any case.
 */
export function checkOrigin(
  { signer, fingerprint }: { signer: string | null; fingerprint: string },
  { archiveKeys, namedFingerprint }: { archiveKeys: ArchiveKeys; namedFingerprint: string | undefined },
): void {
  if (namedFingerprint !== undefined) {
    if (namedFingerprint.toLowerCase() === fingerprint) return;
    throw new StartupError('The fingerprint that you named is not that of this file: nothing was imported.');
  }
  const { own, accepted } = archiveKeys;
  const known = own ? [publicKeyText(own), ...accepted] : accepted;
  if (signer !== null && known.includes(signer)) return;
  const fault = signer === null ? 'has no signature' : `is signed with the key ${signer}, which is not known here`;
  throw new StartupError(
    `The archive ${fault}: nothing was imported. Accept that deployment's key (ARCHIVE_KEYS_ACCEPTED), or ask whoever exported the file for its SHA-256 and repeat the command with --fingerprint.`,
  );
}
