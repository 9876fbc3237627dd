import type { inferRouterOutputs } from '@trpc/server';
import type { StaffRouter } from '@/server/trpc/staff/router';

type Outputs = inferRouterOutputs<StaffRouter>['qrCodes'];
export type TableCode = Outputs['get'];
export type ListedCode = Outputs['list']['items'][number];
export type TableCard = Outputs['cards']['cards'][number];
