/** tRPC for a POS. Each procedure's `meta.openapi` also makes it an operation of the REST API. */
import { initTRPC } from '@trpc/server';
import type { OpenApiMeta } from 'trpc-openapi';
import type { NeededScope } from '@/server/domain/access';
import type { PosContext } from '@/server/domain/kernel/context';
import type { ErrorCode } from '@/server/domain/kernel/errors';

export interface PosMeta extends OpenApiMeta {
  /** The scope that a key needs to call it. */
  scope: NeededScope;
  /** True if production does not have it. */
  isSandboxOnly?: true;
  /** Mends a body before it is checked, where the operation must not be refused for a field. */
  mendInput?: (body: Record<string, unknown>) => Record<string, unknown>;
  /** Errors of the operation, besides those common to all. */
  errors?: ErrorCode[];
  /**
   * For the API reference: a request (body, or path and query) and its response. It works as it is with the demo's test
   * data (`db/seed/test-data.ts`), if each field in `fresh` gets a new value: its template, with something new in place
   * of `{fresh}`.
   */
  example?: {
    request?: Record<string, unknown>;
    answer: Record<string, unknown>;
    fresh?: Record<string, string>;
    /** Answers in other situations, by name. */
    others?: Record<string, { summary: string; answer: Record<string, unknown> }>;
  };
}

const t = initTRPC.context<PosContext>().meta<PosMeta>().create();

export const router = t.router;
/** The key is checked before tRPC is entered, so that it comes before everything else. That also saves a middleware. */
export const posProcedure = t.procedure;

/** Errors of operations at a store. */
export const storeErrors = ['store_forbidden', 'store_not_found'] satisfies ErrorCode[];
/** Errors of operations with a `transactionId`. */
export const transactionErrors = [
  ...storeErrors,
  'customer_not_found',
  'transaction_id_conflict',
  'transaction_voided',
] satisfies ErrorCode[];
/** Errors of redemptions if the merchant requires the PIN. */
export const pinErrors = ['pin_required', 'pin_not_set', 'pin_invalid', 'pin_locked'] satisfies ErrorCode[];
