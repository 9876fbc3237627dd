/** Parts that not every table needs. Where their file is gone, the page goes on without them. */
import { lazy } from 'react';

/** `never`, to stand for any of them. */
const nothing = { default: () => null as never };
export const OrderList = lazy(() => import('./order-list').catch(() => nothing));
export const OrderAgain = lazy(() => import('./order-again').catch(() => nothing));
export const CartBenefits = lazy(() => import('./cart-benefits').catch(() => nothing));
