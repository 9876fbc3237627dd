import type { inferRouterOutputs } from '@trpc/server';
import type { StaffRouter } from '@/server/trpc/staff/router';

export type Settings = inferRouterOutputs<StaffRouter>['settings']['get'];
export type OrderingSettings = inferRouterOutputs<StaffRouter>['settings']['ordering'];
