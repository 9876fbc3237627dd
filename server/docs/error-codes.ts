/** Every error code of the REST API, from the OpenAPI document and the domain's catalog. */
import { type ErrorCode, errorCatalog } from '@/server/domain/kernel/errors';
import { statusByKind } from '@/server/rest/envelope';
import { errorDetails } from '@/server/rest/error-schemas';
import { operations } from './operations';

export interface ErrorEntry {
  code: string;
  status: number;
  /** Markdown. */
  meaning: string;
  /** The fields of `details`. */
  details: string[];
  /** The ids of the operations that return it; empty if any request can get it. */
  operationIds: string[];
}

function entryOf(code: ErrorCode | 'internal_error', operationIds: string[]): ErrorEntry {
  if (code === 'internal_error')
    return { code, status: 500, meaning: 'A fault of the service.', details: [], operationIds: [] };
  const [kind, meaning] = errorCatalog[code];
  const { example = {}, optional = [] } = errorDetails[code] ?? {};
  const details = [...new Set([...Object.keys(example), ...optional])];
  const isCommon = operationIds.length === operations.length;
  return { code, status: statusByKind[kind], meaning, details, operationIds: isCommon ? [] : operationIds };
}

const codes = new Map<string, string[]>([['endpoint_not_found', []]]);
for (const { id, errors } of operations) {
  for (const code of errors.flatMap((response) => response.codes)) codes.set(code, [...(codes.get(code) ?? []), id]);
}

/** By status, then by code. */
export const errorEntries: ErrorEntry[] = [...codes]
  .map(([code, operationIds]) => entryOf(code as ErrorCode, operationIds))
  .sort((a, b) => a.status - b.status || a.code.localeCompare(b.code));
