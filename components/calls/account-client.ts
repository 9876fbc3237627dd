import { createTRPCClient, httpLink } from '@trpc/client';
import type { AccountRouter } from '@/server/trpc/account/router';
import { confirmLink } from './ask-to-confirm';

/** The tRPC client of the procedures for visitors and for people's own accounts. */
export const accountClient = createTRPCClient<AccountRouter>({
  links: [confirmLink(), httpLink({ url: '/api/account', methodOverride: 'POST' })],
});
