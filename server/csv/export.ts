import type { StaffContext, StaffRole } from '@/server/domain/core/context';

/** A list that can be taken along as CSV. */
export interface Export {
  roles: readonly StaffRole[];
  /** The file, from the query of the screen's address. Errors: as the list's own procedure. */
  open(ctx: StaffContext, query: Record<string, string>): ReadableStream<Uint8Array>;
}
