import type { inferRouterOutputs } from '@trpc/server';
import type { StaffRouter } from '@/server/trpc/staff/router';

type Outputs = inferRouterOutputs<StaffRouter>['customers'];
export type ListedCustomer = Outputs['list']['items'][number];
export type FoundCustomer = NonNullable<Outputs['find']>;
export type CustomerDetail = Outputs['get'];
export type MergePreview = Outputs['mergePreview'];
export type HeldVoucher = Outputs['vouchers']['items'][number];
export type LedgerTransaction = Outputs['ledger']['items'][number];
export type Lot = Outputs['lots']['items'][number];
export type CustomerSale = Outputs['sales']['items'][number];
