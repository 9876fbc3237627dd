import type { inferRouterOutputs } from '@trpc/server';
import type { StaffRouter } from '@/server/trpc/staff/router';

type Outputs = inferRouterOutputs<StaffRouter>['customerImports'];
export type ListedImport = Outputs['list']['items'][number];
export type ImportDetail = Outputs['get'];
export type PreviewAnswer = Outputs['preview'];
export type PreviewedRow = PreviewAnswer['rows'][number];
export type ImportTotalsAnswer = Outputs['totals'];
