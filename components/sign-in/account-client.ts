import { createTRPCClient, httpLink } from '@trpc/client';
import type { AccountRouter } from '@/server/trpc/account/router';

/** The way to what strangers may ask, and people about their own account. */
export const account = createTRPCClient<AccountRouter>({ links: [httpLink({ url: '/api/account' })] });
