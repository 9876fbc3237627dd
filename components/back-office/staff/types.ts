import type { inferRouterOutputs } from '@trpc/server';
import type { StaffRouter } from '@/server/trpc/staff/router';

export type StaffList = inferRouterOutputs<StaffRouter>['staff']['list'];
export type Member = StaffList['members'][number];
export type Invitation = StaffList['invitations'][number];
