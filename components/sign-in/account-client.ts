import { createTRPCClient, httpLink } from '@trpc/client';
import type { AccountRouter } from '@/server/trpc/account/router';

/** The tRPC client of the procedures for visitors and for people's own accounts. */
export const account = createTRPCClient<AccountRouter>({
  links: [httpLink({ url: '/api/account', methodOverride: 'POST' })],
});
