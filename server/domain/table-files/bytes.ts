/** A body that can be read in pieces. */
export class Bytes {
  private readonly source: AsyncIterator<Uint8Array>;
  private held: Uint8Array = new Uint8Array();

  constructor(body: AsyncIterable<Uint8Array>) {
    this.source = body[Symbol.asyncIterator]();
  }

  /** Returns at least `count` bytes, fewer only at the end, and none after it. */
  async take(count: number): Promise<Uint8Array> {
    const parts = [this.held];
    let size = this.held.length;
    while (size < Math.max(count, 1)) {
      const { value, done } = await this.source.next();
      if (done) break;
      parts.push(value);
      size += value.length;
    }
    this.held = new Uint8Array();
    return parts.length === 1 ? (parts[0] as Uint8Array) : Buffer.concat(parts);
  }

  putBack(bytes: Uint8Array): void {
    this.held = bytes;
  }
}
