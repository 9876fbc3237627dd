import { createHash } from 'node:crypto';

/**
 * Returns the id of a new person: the same for an address in every cell, so that someone invited in two cells is one
 * person even after a merchant moves. `email` is in lower case. People from earlier releases keep their random ids.
 */
export function personId(email: string): string {
  const bytes = createHash('sha256').update(`person ${email}`).digest().subarray(0, 16);
  // UUIDv8: an id by our own rule.
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
