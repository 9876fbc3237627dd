/**
 * Sends webhooks to addresses that merchants choose: only to public ones, so that nobody reaches what stands in the
 * operator's own network. The address that is connected to is checked, because a name can have another one each time it
 * is looked up. Redirects are not followed.
 */
import { type LookupAddress, type LookupAllOptions, lookup } from 'node:dns';
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import type { WebhookFailure } from '@/db/lists';
import type { WebhookResult, WebhookSender } from '@/server/domain/webhooks';
import { deliveries } from '@/server/process/metrics';
import { isPublicAddress } from '../domain/kernel/networks';
import { isLoopback } from '../limits/client-address';

const maxAnswerBytes = 64 * 1024;
const keptCharacters = 1_000;
/** Shorter than receivers keep an unused connection (Node: 5 s), so that few are closed just when they are used. */
const idleMs = 3_000;

/** `allowsOwnMachine` adds this machine, and addresses without TLS: for a sandbox on a developer's machine. */
export function createWebhookSender({
  allowsOwnMachine,
  timeoutMs = 10_000,
  resolve = lookup,
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
    // An address in the URL itself is not looked up.
    if (!scheme || (isIP(host) && !isAllowed(host))) throw new RefusedAddress();
    return new Promise<Answer>((resolve, reject) => {
      const request = scheme.open(url, { method: 'POST', agent: scheme.agent, headers, signal });
      request.on('response', (response) => resolve(readAnswer(response)));
      request.on('error', (error: NodeJS.ErrnoException) => {
        // The receiver closed a connection that was kept from an earlier request.
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
      deliveries.inc({ channel: 'webhook', outcome: result.outcome });
      return { ...result, durationMs: Math.round(performance.now() - start) };
    },
  };
}

class RefusedAddress extends Error {}

/** Looks up all addresses of a name. */
type Resolve = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** Looks a name up. Fails if one of its addresses is not allowed: the client may connect to any of them. */
const guardedLookup =
  (resolve: Resolve, isAllowed: (address: string) => boolean): LookupFunction =>
  (hostname, options, callback) =>
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error || !first) callback(error ?? new Error('a name without an address'), '');
      else if (!addresses.every(({ address }) => isAllowed(address))) callback(new RefusedAddress(), '');
      else if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });

interface Answer {
  status: number;
  answer: string;
}

/** Reads an answer to 64 KB at most, and keeps its first characters. */
async function readAnswer(response: IncomingMessage): Promise<Answer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response) {
    chunks.push(chunk);
    size += chunk.length;
    // Leaving the loop closes the connection.
    if (size >= maxAnswerBytes) break;
  }
  const text = Buffer.concat(chunks).toString();
  // PostgreSQL stores no NUL. A character that is cut in two becomes U+FFFD on the way through bytes.
  const answer = Buffer.from(text.replaceAll('\0', '').slice(0, keptCharacters)).toString();
  return { status: response.statusCode ?? 0, answer };
}

type Judged = Omit<WebhookResult, 'durationMs'>;

function judge({ status, answer }: Answer): Judged {
  const isAccepted = status >= 200 && status < 300;
  return { outcome: isAccepted ? 'sent' : status === 410 ? 'refused' : 'retry', status, answer, error: null };
}

const fail = (error: WebhookFailure): Judged => ({ outcome: 'retry', status: null, answer: null, error });

/** Names what went wrong. Messages are not kept: they would tell about the operator's network. */
function nameError(error: unknown): WebhookFailure {
  if (error instanceof RefusedAddress) return 'not_public';
  const { code = '' } = error as NodeJS.ErrnoException;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'unknown_host';
  if (/CERT|TLS|SSL|EPROTO/.test(code) || code === 'UNABLE_TO_VERIFY_LEAF_SIGNATURE') return 'certificate';
  return 'no_connection';
}
