/** Parts that not every table needs. If a part's file is gone, the page works on without it. */
import { lazy } from 'react';

/** Typed as `never`, so that it can stand for any part. */
const nothing = { default: () => null as never };
export const OrderList = lazy(() => import('./order-list').catch(() => nothing));
export const OrderAgain = lazy(() => import('./order-again').catch(() => nothing));
export const CartBenefits = lazy(() => import('./cart-benefits').catch(() => nothing));
