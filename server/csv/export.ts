import type { StaffContext, StaffRole } from '@/server/domain/kernel/context';
import type { TableWriter } from './write';

/** A list that can be downloaded. */
export interface Export {
  roles: readonly StaffRole[];
  /** True if it covers all stores. Staff of named stores are refused. */
  isOfAllStores?: boolean;
  /** True for personal data: 15 minutes after the last proof of who is there, another is required. */
  isSensitive?: boolean;
  /** True for lists that grow with trade. They are read from a replica, if there is one. */
  readsReplica?: boolean;
  /** Streams the file for the query of the screen's URL, by default as CSV. Errors: those of the list's own procedure. */
  open(ctx: StaffContext, query: Record<string, string>, write?: TableWriter): ReadableStream<Uint8Array>;
}
