/** The keys that archives of merchants are signed with, and those of other deployments. */
import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { z } from 'zod';
import { StartupError } from '@/db/startup-error';
import type { ArchiveKeys } from '../domain/kernel/context';

const wrongKey = 'must be a private key of Ed25519: openssl genpkey -algorithm ed25519 -outform DER | base64 -w0';
const wrongKeys = 'must be public keys of Ed25519, separated by commas (see "Signed archives" in docs/operations.md)';

/** Returns null for anything but an Ed25519 key. */
function readKey(read: () => KeyObject): KeyObject | null {
  try {
    const key = read();
    return key.asymmetricKeyType === 'ed25519' ? key : null;
  } catch {
    return null;
  }
}

const derOf = (text: string) => Buffer.from(text, 'base64');

export const archiveKeySettings = {
  ARCHIVE_KEY: z
    .string()
    .transform((text, ctx) => {
      const key = readKey(() => createPrivateKey({ key: derOf(text), format: 'der', type: 'pkcs8' }));
      if (!key) ctx.addIssue({ code: 'custom', message: wrongKey });
      return key ?? z.NEVER;
    })
    .optional(),
  ARCHIVE_KEYS_ACCEPTED: z
    .string()
    .transform((list) => list.split(/\s*,\s*/))
    .refine(
      (texts) =>
        texts.every(
          (text) => readKey(() => createPublicKey({ key: derOf(text), format: 'der', type: 'spki' })) !== null,
        ),
      wrongKeys,
    )
    .default([]),
};

const settings = z.object(archiveKeySettings);

export const archiveKeysOf = (read: z.infer<typeof settings>): ArchiveKeys => ({
  own: read.ARCHIVE_KEY ?? null,
  accepted: read.ARCHIVE_KEYS_ACCEPTED,
});

/** Reads these settings alone, for a command that needs no others. Errors: `StartupError`. */
export function readArchiveKeys(variables: Record<string, string | undefined>): ArchiveKeys {
  const { ARCHIVE_KEY, ARCHIVE_KEYS_ACCEPTED } = variables;
  const { data, error } = settings.safeParse({
    ARCHIVE_KEY: ARCHIVE_KEY || undefined,
    ARCHIVE_KEYS_ACCEPTED: ARCHIVE_KEYS_ACCEPTED || undefined,
  });
  if (!data) throw new StartupError(error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`).join('; '));
  return archiveKeysOf(data);
}
