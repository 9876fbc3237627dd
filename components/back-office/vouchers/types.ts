import type { inferRouterOutputs } from '@trpc/server';
import type { StaffRouter } from '@/server/trpc/staff/router';

type Outputs = inferRouterOutputs<StaffRouter>;
export type Campaign = Outputs['campaigns']['list']['items'][number];
export type CampaignDetail = Outputs['campaigns']['get'];
export type ListedVoucher = Outputs['vouchers']['list']['items'][number];
