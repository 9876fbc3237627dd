/** How the queue changes what it sends. Each changed request remembers what was added. */
import type { Decision, Queueable, QueuedPath, QueuedRequest, Stored } from './queued.js';
import type { Step } from './responses.js';
import type { ApiErrorBody } from './schema.js';

export const original = ({ reasons: _, held: _h, isRepeated: _r, added, ...request }: Stored): QueuedRequest =>
  added ?? (request as QueuedRequest);

/** Returns a request with another body, which remembers what was added. */
const change = <Path extends QueuedPath>(
  stored: Stored,
  path: Path,
  body: Queueable<Path>,
  reasons: Stored['reasons'] = {},
): Stored => ({ path, body, reasons: { ...stored.reasons, ...reasons }, added: original(stored) }) as unknown as Stored;

/**
 * Returns the sale without what alone it is refused for: what was paid is recorded in any case. A limit is the outcome of its
 * id, so the sale gets another one. Null if the step is another.
 */
export function changedSale(stored: Stored, step: Step, error: ApiErrorBody): Stored | null {
  if (stored.path !== '/sales') return null;
  const { customer, expectedDue, ...rest } = stored.body;
  if (step === 'sendWithoutExpectedDue') {
    return change(stored, '/sales', { ...rest, ...(customer && { customer }) }, { withoutExpectedDue: error });
  }
  if (step !== 'sendWithoutCustomer' && step !== 'sendWithoutCustomerAsNew') return null;
  const transactionId = step === 'sendWithoutCustomer' ? rest.transactionId : crypto.randomUUID();
  const body = { ...rest, ...(expectedDue !== undefined && { expectedDue }), transactionId };
  return change(stored, '/sales', body, { withoutCustomer: error });
}

/** Returns a request with another id, because the outcome of its own is recorded. */
export function withNewId(stored: Stored): Stored {
  if (stored.path === '/transactions/void') return stored;
  const body = { ...stored.body, transactionId: crypto.randomUUID() };
  return change(stored, stored.path as '/sales', body as Queueable<'/sales'>);
}

/** Returns a held request as a person wants it to be sent. Errors: `TypeError` for one without what is to be left out. */
export function decided(stored: Stored, decision: Exclude<Decision, 'drop'>): Stored {
  const { held, ...request } = stored;
  if (decision === 'sendAgain') return { ...request, isRepeated: true } as Stored;
  const field = decision === 'sendWithoutCustomer' ? 'customer' : 'expectedDue';
  const changed = held ? changedSale(request as Stored, decision, held) : null;
  if (!changed || stored.path !== '/sales' || stored.body[field] === undefined)
    throw new TypeError(`Only a sale with ${field} can be sent without it.`);
  return { ...changed, isRepeated: true };
}

/** Returns a void that names the transaction which was recorded in place of another; null if it does not name that. */
export function renamedVoid(stored: Stored, from: string, to: string): Stored | null {
  if (stored.path !== '/transactions/void' || !stored.body.transactionIds.includes(from)) return null;
  const transactionIds = stored.body.transactionIds.map((id) => (id === from ? to : id));
  return change(stored, stored.path, { ...stored.body, transactionIds });
}
