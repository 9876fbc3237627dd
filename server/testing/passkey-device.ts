/** A simulated device with a passkey, and the browser that speaks for it (WebAuthn). */
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';

const flags = { present: 0x01, verified: 0x04, canBeBackedUp: 0x08, isBackedUp: 0x10, hasCredential: 0x40 };
const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest();
const text = (bytes: Buffer) => bytes.toString('base64url');

/** Returns a new device. `origin` is the page that asks it. `verifies` says whether it checks its holder. */
export function newDevice({ origin = 'http://localhost:3000', verifies = true } = {}) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const credentialId = randomBytes(32);
  const id = text(credentialId);
  let userHandle = '';
  let uses = 0;

  const clientData = (type: string, challenge: string) => Buffer.from(JSON.stringify({ type, challenge, origin }));
  const head = (more: number) => {
    const set = flags.present | (verifies ? flags.verified : 0) | flags.canBeBackedUp | flags.isBackedUp | more;
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(uses);
    return Buffer.concat([sha256(new URL(origin).hostname), Buffer.from([set]), counter]);
  };
  const rest = { id, rawId: id, type: 'public-key', clientExtensionResults: {} } as const;

  return {
    id,
    /** Creates the passkey. */
    create({ challenge, user }: { challenge: string; user: { id: string } }): RegistrationResponseJSON {
      userHandle = user.id;
      // COSE: an EC2 key of P-256 for ES256.
      const key = Buffer.concat([
        Buffer.from('a5010203262001215820', 'hex'),
        Buffer.from(x, 'base64url'),
        Buffer.from('225820', 'hex'),
        Buffer.from(y, 'base64url'),
      ]);
      const credential = Buffer.concat([Buffer.alloc(16), Buffer.from([0, credentialId.length]), credentialId, key]);
      const data = Buffer.concat([head(flags.hasCredential), credential]);
      // CBOR: { fmt: 'none', attStmt: {}, authData }.
      const start = Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746158', 'hex');
      const attestationObject = text(Buffer.concat([start, Buffer.from([data.length]), data]));
      const clientDataJSON = text(clientData('webauthn.create', challenge));
      return { ...rest, response: { clientDataJSON, attestationObject } };
    },
    /** Proves who holds it. `counts` is false for a copy of the device, which does not know of other uses. */
    prove({ challenge }: { challenge: string }, { counts = true } = {}): AuthenticationResponseJSON {
      if (counts) uses += 1;
      const [data, client] = [head(0), clientData('webauthn.get', challenge)];
      const signature = text(sign('sha256', Buffer.concat([data, sha256(client)]), privateKey));
      const response = { clientDataJSON: text(client), authenticatorData: text(data), signature, userHandle };
      return { ...rest, response };
    },
  };
}
