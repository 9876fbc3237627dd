import { createHash } from 'node:crypto';

/**
 * Returns the id of a new person: the same for an address in every cell, so that someone who is invited in two is one
 * person wherever a merchant moves. `email` is in lower case. People from before keep the random ids that they have.
 */
export function personId(email: string): string {
  const bytes = createHash('sha256').update(`person ${email}`).digest().subarray(0, 16);
  // UUIDv8: an id by a rule of our own.
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
