/** The retry rule: until a request has an outcome, it is sent again unchanged, after the pause that the service asks for. */
import { stepOf } from './responses.js';

/** The service answers within this time, or the response was lost. */
const answerWithinMs = 5_000;
const firstPauseMs = 200;
const maxPauseMs = 5_000;
/** A share of the pause that is added at random, so that many tills do not return at once. */
const maxJitter = 0.25;
/** Executed twice, they would send the customer another PIN, or advance the clock twice. */
const unrepeatable = /\/(customers\/forget-pin|sandbox\/clock)$/;

/**
 * There was no outcome in time. A transaction can have been executed, unless `mayBeExecuted` is false. Send it again with the
 * same `transactionId` (or leave that to a queue), look it up, or void it. Never send it with a new id.
 */
export class UnknownOutcomeError extends Error {
  constructor(
    /** False if the service refused every attempt before it started (status 429), or redirected it. */
    readonly mayBeExecuted: boolean,
    readonly attempts: number,
    /** Wait this long before the next attempt. */
    readonly retryAfterMs: number,
    /** Of the last attempt: its status, or why there was no response. */
    readonly last: string,
  ) {
    super(`No outcome after ${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}. The last one: ${last}.`);
    this.name = 'UnknownOutcomeError';
  }
}

interface Attempt {
  /** Set once the outcome is known. */
  outcome?: Response;
  /** The path before `/api/v1` to send the request to instead. */
  redirectedTo?: string | undefined;
  /** Null: no response of the service. */
  status: number | null;
  retryAfterMs: number;
  result: string;
}

/** Of a business that has moved to another server: its requests go to a path of their own at the same host. */
const movedPath = /^(\/cells\/[a-z][a-z0-9]*)\/api\/v1\//;
/** More in one call lead in a circle for now, and wait like any other attempt. */
const maxRedirects = 3;

/**
 * Returns a `fetch` that follows the rule, and the service's redirects, which it remembers. Errors: `UnknownOutcomeError`;
 * the reason of the caller's own signal.
 */
export function fetchWithRetries(giveUpAfterMs: number): (request: Request) => Promise<Response> {
  let movedTo = '';
  return async (request) => {
    const body = request.method === 'GET' ? undefined : await request.text();
    const deadline = performance.now() + giveUpAfterMs;
    let mayBeExecuted = false;
    let redirects = 0;
    for (let attempts = 1; ; attempts++) {
      const { outcome, redirectedTo, status, retryAfterMs, result } = await attempt(request, movedTo, body);
      // A move that was undone leaves the key unknown there. The first address knows.
      const isUnknownThere = status === 401 && movedTo !== '' && redirects === 0;
      if (isUnknownThere) {
        movedTo = '';
        continue;
      }
      if (outcome) return outcome;
      // Where it leads may be gone: the first address knows.
      if (redirectedTo !== undefined || status === null) movedTo = redirectedTo ?? '';
      if (redirectedTo !== undefined && ++redirects <= maxRedirects) continue;
      const wasStarted = status !== 429 && status !== 308;
      mayBeExecuted ||= wasStarted;
      const pauseMs = pauseAfter(retryAfterMs, attempts);
      const isLast = performance.now() + pauseMs > deadline || (wasStarted && unrepeatable.test(request.url));
      if (isLast) throw new UnknownOutcomeError(mayBeExecuted, attempts, pauseMs, result);
      await pause(pauseMs, request.signal);
    }
  };
}

async function attempt(request: Request, movedTo: string, body: string | undefined): Promise<Attempt> {
  const { method, headers } = request;
  const { origin, pathname, search } = new URL(request.url);
  const url = origin + movedTo + pathname + search;
  request.signal.throwIfAborted();
  // Not AbortSignal.any and timeout: Node 20 can collect them as garbage before they abort.
  const ending = new AbortController();
  const end = () => ending.abort(new Error('no response within 5 seconds'));
  const timer = setTimeout(end, answerWithinMs);
  request.signal.addEventListener('abort', end);
  try {
    const response = await fetch(url, { method, headers, body, signal: ending.signal, redirect: 'manual' });
    const text = await response.text();
    const { status } = response;
    const isOfService = isFromService(response);
    const step = stepOf({ status });
    const isOutcome = isOfService && step !== 'sendAgain' && step !== 'follow';
    const [, redirectedTo] = (isOfService && movedPath.exec(response.headers.get('location') ?? '')) || [];
    return {
      ...(isOutcome ? { outcome: new Response(text, { status, headers: response.headers }) } : {}),
      redirectedTo: status === 308 ? redirectedTo : undefined,
      status: isOfService ? status : null,
      retryAfterMs: Number(response.headers.get('retry-after')) * 1_000,
      result: isOfService ? `status ${status}` : `status ${status}, not from the service`,
    };
  } catch (error) {
    request.signal.throwIfAborted();
    return { status: null, retryAfterMs: 0, result: describe(error) };
  } finally {
    clearTimeout(timer);
    request.signal.removeEventListener('abort', end);
  }
}

/** False for what stands in between: the page of a hotspot, a proxy. */
const isFromService = ({ headers }: Response) =>
  headers.has('x-request-id') && headers.get('content-type')?.startsWith('application/json') === true;

/** `fetch` hides why it failed in the cause. */
function describe(error: unknown): string {
  const { message, cause } = error as { message: string; cause?: { code?: string } };
  return cause?.code ?? message;
}

function pauseAfter(retryAfterMs: number, attempts: number): number {
  const ms = retryAfterMs > 0 ? retryAfterMs : Math.min(firstPauseMs * 2 ** (attempts - 1), maxPauseMs);
  return ms * (1 + Math.random() * maxJitter);
}

/** Errors: the signal's reason. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(done, ms);
    function done() {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      if (signal.aborted) reject(signal.reason);
      else resolve();
    }
    signal.addEventListener('abort', done);
    if (signal.aborted) done();
  });
}
