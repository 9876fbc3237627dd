/** Words that readers bring from other systems, and the words of these pages for the same thing. */
const otherWords: [theirs: string, ours: string][] = [
  [
    'timeout|time out|backoff|exponential backoff|resend|duplicate request|idempotency key|idempotency|idempotent',
    'send the same request again',
  ],
  ['pagination|paging|page size|next page|cursor', 'lists nextCursor'],
  ['sdk|client library|npm package', 'typescript client'],
  ['python|php|java|c#|.net|curl|sample|samples|code example', 'samples language'],
  ['authentication|auth|bearer token|oauth|login', 'keys and environments'],
  ['rotate key|revoke key|replace key', 'one key for each till'],
  ['permission|permissions|role', 'scopes'],
  ['ip whitelist|whitelist|allowlist|ip allowlist|ip address', 'networks'],
  ['throttle|throttling|quota|too many requests', 'limits'],
  ['base url|host name|hostname|server address', 'sandbox and production address'],
  ['test mode|test card|staging', 'sandbox'],
  ['versioning|deprecation|deprecated|breaking change|api version', 'changes within v1'],
  ['swagger|openapi spec', 'openapi'],
  ['checklist|launch', 'going live'],
  ['support|help desk|help|contact', 'whom do i ask'],
  ['health check|heartbeat|status page', 'ping'],
  ['correlation id|trace id', 'request id'],
  ['long polling|websocket|websockets|streaming|push|callback', 'events'],
  ['gratuity', 'tips'],
  ['vat|gst|sales tax', 'tax'],
  ['cents|decimals|money format', 'minor unit'],
  ['timezone|time zone|date format', 'formats times'],
  ['e.164|phone format|phone number format', 'formats customers phone'],
  ['membership|registration|sign up|signup|enroll', 'enrol a customer'],
  ['search customer|customer lookup|find customer|loyalty card', 'balances'],
  ['otp|passcode', 'pin'],
  ['coupon|coupons|promo code', 'voucher'],
  ['burn|burn points', 'redeem points'],
  ['gift card|prepaid|wallet|store credit', 'stored value'],
  ['kitchen|kds', 'receive orders'],
  ['sku|item code|article number', 'plu'],
  ['inventory|86|86ed|out of stock', 'stock-outs'],
  ['reverse|rollback|roll back', 'void'],
  ['chargeback', 'dispute'],
  ['split bill|split payment|split check|go dutch', 'paid in parts'],
  ['gdpr|privacy|delete customer|right to be forgotten', 'customer erased'],
  ['outlet|branch|location|multi store', 'store'],
  ['terminal|register|device', 'till'],
  ['report|reports|export', 'the day on which'],
];

const phrases = new Map(otherWords.flatMap(([theirs, ours]) => theirs.split('|').map((phrase) => [phrase, ours])));

/** Returns a query with its foreign words replaced by ours; null if it has none. Of phrases that begin alike, the longest is replaced. */
export function inOurWords(query: string): string | null {
  const words = query.toLowerCase().trim().split(/\s+/);
  const translated: string[] = [];
  let isChanged = false;
  for (let at = 0; at < words.length; ) {
    const size = [4, 3, 2, 1].find((count) => phrases.has(words.slice(at, at + count).join(' '))) ?? 0;
    isChanged ||= size > 0;
    translated.push(size > 0 ? (phrases.get(words.slice(at, at + size).join(' ')) as string) : (words[at] as string));
    at += Math.max(1, size);
  }
  return isChanged ? translated.join(' ') : null;
}

/** All phrases of others, to be tested. */
export const knownPhrases = [...phrases.keys()];
