import type { inferRouterOutputs } from '@trpc/server';
import type { StaffRouter } from '@/server/trpc/staff/router';

type Outputs = inferRouterOutputs<StaffRouter>['bills'];
export type ListedBill = Outputs['list']['items'][number];
export type BillStory = Outputs['get'];
export type StoryPayment = BillStory['payments'][number];
