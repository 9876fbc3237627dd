/** Longer than an answer takes, even on a bad network. */
const longestMs = 15_000;

/** Gives a request up that nobody answers: the network has gone without a word. */
export async function withinTime<T>(signal: AbortSignal, request: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const giveUp = new AbortController();
  const abort = () => giveUp.abort();
  const timer = setTimeout(abort, longestMs);
  signal.addEventListener('abort', abort);
  try {
    return await request(giveUp.signal);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
  }
}
