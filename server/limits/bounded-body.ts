import { readUpTo } from '../domain/kernel/bounded';

/** Reads a web request's body. Returns null, and stops reading, if it is larger than `maxBytes`. */
export const readBodyUpTo = (request: Request, maxBytes: number): Promise<Buffer | null> =>
  readUpTo(request.body ?? [], maxBytes);
