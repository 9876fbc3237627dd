/**
 * Sends webhooks to addresses that merchants choose: only to public ones, so that none reaches the operator's own
 * network. The IP address that is connected to is checked, because a name can resolve to another one each time.
 * Redirects are not followed.
 */
import type { LookupAddress } from 'node:dns';
import { lookup, Resolver } from 'node:dns/promises';
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import type { WebhookFailure } from '@/db/kinds/lists';
import type { WebhookResult, WebhookSender } from '@/server/domain/webhooks';
import { webhookDeliveries } from '@/server/observe/metrics';
import { isLoopback, isPublicAddress } from '../domain/kernel/networks';

const maxAnswerBytes = 64 * 1024;
const keptCharacters = 1_000;
/** Shorter than receivers keep an unused connection (Node: 5 s), so that few are closed just when they are used. */
const idleMs = 3_000;

/** `allowsOwnMachine` also allows this machine, and addresses without TLS, for a sandbox on a developer's machine. */
export function createWebhookSender({
  allowsOwnMachine,
  timeoutMs = 10_000,
  resolve = allowsOwnMachine ? resolveAsMachine : resolveInDns,
}: {
  allowsOwnMachine: boolean;
  timeoutMs?: number;
  resolve?: Resolve;
}): WebhookSender {
  const isAllowed = (address: string) => isPublicAddress(address) || (allowsOwnMachine && isLoopback(address));
  const options = { keepAlive: true, maxFreeSockets: 4, timeout: idleMs, lookup: guardedLookup(resolve, isAllowed) };
  const agents = {
    'https:': { open: https.request, agent: new https.Agent(options) },
    ...(allowsOwnMachine ? { 'http:': { open: http.request, agent: new http.Agent(options) } } : {}),
  } as Record<string, { open: typeof http.request; agent: http.Agent } | undefined>;

  const post = async (address: string, headers: Record<string, string>, body: string, signal: AbortSignal) => {
    const url = new URL(address);
    const scheme = agents[url.protocol];
    const host = url.hostname.replace(/^\[|\]$/g, '');
    // An IP address in the URL is not looked up, so it is checked here.
    if (!scheme || (isIP(host) && !isAllowed(host))) throw new RefusedAddress();
    return new Promise<Answer>((resolve, reject) => {
      const request = scheme.open(url, { method: 'POST', agent: scheme.agent, headers, signal });
      request.on('response', (response) => resolve(readAnswer(response)));
      // Without a listener, Node would wait for a protocol switch.
      request.on('upgrade', ({ statusCode = 0 }, socket) => {
        socket.destroy();
        resolve({ status: statusCode, answer: '' });
      });
      // Rejects if nothing else has settled it.
      request.on('close', () => reject(new Error('closed without a response')));
      request.on('error', (error: NodeJS.ErrnoException) => {
        // The receiver closed a reused connection.
        if (request.reusedSocket && error.code === 'ECONNRESET') resolve(post(address, headers, body, signal));
        else reject(error);
      });
      request.end(body);
    });
  };

  return {
    async send({ url, headers, body }) {
      const start = performance.now();
      const all = { 'content-type': 'application/json', 'user-agent': 'Loyalty-Webhooks/1', ...headers };
      const signal = AbortSignal.timeout(timeoutMs);
      const result = await post(url, all, body, signal).then(judge, (error) =>
        fail(signal.aborted ? 'timeout' : nameError(error)),
      );
      webhookDeliveries.inc({ channel: 'webhook', outcome: result.outcome });
      return { ...result, durationMs: Math.round(performance.now() - start) };
    },
  };
}

class RefusedAddress extends Error {}
class UnknownHost extends Error {}

/** Looks up all addresses of a name. */
type Resolve = (hostname: string) => Promise<LookupAddress[]>;

const resolveAsMachine: Resolve = (hostname) => lookup(hostname, { all: true });

const dns = new Resolver({ timeout: 2_000, tries: 2 });

/**
 * Asks only DNS. Names of the operator's own network (`/etc/hosts`, search domains) must not be reachable, and the
 * system's look-up uses one of four threads, so that slow names would block everything else.
 */
const resolveInDns: Resolve = async (hostname) => {
  const [four, six] = await Promise.allSettled([dns.resolve4(hostname), dns.resolve6(hostname)]);
  const addresses = [
    ...(four.status === 'fulfilled' ? four.value.map((address) => ({ address, family: 4 })) : []),
    ...(six.status === 'fulfilled' ? six.value.map((address) => ({ address, family: 6 })) : []),
  ];
  if (addresses.length === 0 && four.status === 'rejected') throw four.reason;
  return addresses;
};

/** Looks a name up. Fails if any of its addresses is not allowed, because the client may connect to any of them. */
function guardedLookup(resolve: Resolve, isAllowed: (address: string) => boolean): LookupFunction {
  const find = async (hostname: string) => {
    const addresses = await resolve(hostname);
    const [first] = addresses;
    if (!first) throw new UnknownHost();
    if (!addresses.every(({ address }) => isAllowed(address))) throw new RefusedAddress();
    return { addresses, first };
  };
  return (hostname, options, callback) => {
    find(hostname).then(
      ({ addresses, first }) => (options.all ? callback(null, addresses) : callback(null, first.address, first.family)),
      (error) => callback(error, ''),
    );
  };
}

interface Answer {
  status: number;
  answer: string;
}

/**
 * Reads at most 64 KB of a response, and keeps its first characters. The status says all that counts: a receiver may send
 * it, work on, and end its body late or never.
 */
async function readAnswer(response: IncomingMessage): Promise<Answer> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of response) {
      chunks.push(chunk);
      size += chunk.length;
      // Leaving the loop closes the connection.
      if (size >= maxAnswerBytes) break;
    }
  } catch {
    // What has arrived is kept.
  }
  const text = Buffer.concat(chunks).toString();
  // PostgreSQL can't store NUL. A surrogate pair that was cut in two becomes U+FFFD.
  const answer = Buffer.from(text.replaceAll('\0', '').slice(0, keptCharacters)).toString();
  return { status: response.statusCode ?? 0, answer };
}

type Judged = Omit<WebhookResult, 'durationMs'>;

function judge({ status, answer }: Answer): Judged {
  const isAccepted = status >= 200 && status < 300;
  return { outcome: isAccepted ? 'sent' : status === 410 ? 'refused' : 'retry', status, answer, error: null };
}

const fail = (error: WebhookFailure): Judged => ({ outcome: 'retry', status: null, answer: null, error });

/** The codes with which look-ups fail. */
const unknownHost = new Set(['ENOTFOUND', 'EAI_AGAIN', 'ENODATA', 'ETIMEOUT', 'ESERVFAIL', 'EREFUSED']);

/** Names what went wrong. Messages are not kept, because they could reveal the operator's network. */
function nameError(error: unknown): WebhookFailure {
  if (error instanceof RefusedAddress) return 'not_public';
  const { code = '' } = error as NodeJS.ErrnoException;
  if (error instanceof UnknownHost || unknownHost.has(code)) return 'unknown_host';
  if (/CERT|TLS|SSL|EPROTO/.test(code) || code === 'UNABLE_TO_VERIFY_LEAF_SIGNATURE') return 'certificate';
  return 'no_connection';
}
