import { readUpTo } from './domain/core/bounded';

/** A web request's body; null, and no more read, where it is larger than `maxBytes`. */
export const readBodyUpTo = (request: Request, maxBytes: number): Promise<Buffer | null> =>
  readUpTo(request.body ?? [], maxBytes);
