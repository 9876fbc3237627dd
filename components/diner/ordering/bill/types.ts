import type { inferRouterOutputs } from '@trpc/server';
import type { DinerRouter } from '@/server/trpc/diner/router';

type Outputs = inferRouterOutputs<DinerRouter>['bill'];

/** The table's bill as its phones see it. */
export type DinerBill = NonNullable<Outputs['get']>;
export type BillLine = DinerBill['lines'][number];
/** A payment as the paying phone sees it. */
export type DinerPayment = Outputs['payment'];
/** What a signed-in diner can use on the bill. */
export type Offers = Outputs['offers'];
