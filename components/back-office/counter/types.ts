import type { inferRouterOutputs } from '@trpc/server';
import type { StaffRouter } from '@/server/trpc/staff/router';

type Outputs = inferRouterOutputs<StaffRouter>['customers'];
export type CounterOffers = Outputs['topUpOffers'];
export type CounterOffer = CounterOffers['offers'][number];
export type StaffTopUp = Outputs['topUp'];
export type CashOutPreview = Outputs['cashOutPreview'];
export type StaffCashOut = Outputs['cashOut'];
export type Note = Outputs['notes'][number];
