import { listOrders, setOrderStatus } from '@/server/domain/qr-ordering/orders';
import { generateQrCode, getQrCode, invalidateQrCode } from '@/server/domain/qr-ordering/qr-codes';
import {
  generateQrCodeInput,
  generateQrCodeOutput,
  invalidateQrCodeInput,
  invalidateQrCodeOutput,
  listOrdersInput,
  listOrdersOutput,
  order,
  qrCodeInput,
  qrCodeOutput,
  setOrderStatusInput,
} from '@/server/domain/qr-ordering/schemas';
import * as examples from './examples';
import { posProcedure, router, storeErrors } from './init';

const tags = ['QR ordering'];
const { qrCodeId, billId, table, orderId } = examples.order;

export const qrCodesRouter = router({
  generate: posProcedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/qr-codes',
        operationId: 'generateQrCode',
        tags,
        summary: 'Generate a QR code',
        description:
          "A code for a bill's diners to scan and order. The same open bill answers the same code, with the table and " +
          'guests that it began with; for others, invalidate it first. `expiresInMinutes`, counted from now, makes an open ' +
          'code last longer, never shorter.',
      },
      errors: storeErrors,
      example: {
        request: { billId, table, guests: 4, expiresInMinutes: 180 },
        answer: {
          qrCodeId,
          billId,
          table,
          guests: 4,
          status: 'active',
          url: 'https://loyalty.example.com/q/3q2-7wAAAAAAAAAAAAAAAA',
          imageSvg: '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 41 41">…</svg>',
          imagePng: 'data:image/png;base64,iVBORw0KGgo…',
          expiresAt: '2026-11-20T14:42:07.318Z',
          createdAt: '2026-11-20T11:42:07.318Z',
        },
      },
    })
    .input(generateQrCodeInput)
    .output(generateQrCodeOutput)
    .mutation(({ ctx, input }) => generateQrCode(ctx, input)),

  invalidate: posProcedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/qr-codes/invalidate',
        operationId: 'invalidateQrCode',
        tags,
        summary: 'Invalidate a QR code',
        description:
          'When the bill is settled: from this moment no order is taken. By exactly one of `qrCodeId` and `billId`; ' +
          'again answers the same.',
      },
      errors: [...storeErrors, 'qr_code_not_found'],
      example: {
        request: { billId },
        answer: { qrCodeId, billId, status: 'invalidated', invalidatedAt: '2026-11-20T13:05:44.120Z' },
      },
    })
    .input(invalidateQrCodeInput)
    .output(invalidateQrCodeOutput)
    .mutation(({ ctx, input }) => invalidateQrCode(ctx, input)),

  get: posProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/qr-codes/{qrCodeId}',
        operationId: 'getQrCode',
        tags,
        summary: 'Look up a QR code',
        description: 'The code and the orders placed with it.',
      },
      errors: [...storeErrors, 'qr_code_not_found'],
      example: {
        request: { qrCodeId },
        answer: {
          qrCodeId,
          billId,
          table,
          guests: 4,
          status: 'active',
          expiresAt: '2026-11-20T14:42:07.318Z',
          createdAt: '2026-11-20T11:42:07.318Z',
          invalidatedAt: null,
          orders: [examples.order],
        },
      },
    })
    .input(qrCodeInput)
    .output(qrCodeOutput)
    .query(({ ctx, input }) => getQrCode(ctx, input)),
});

export const ordersRouter = router({
  list: posProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/orders',
        operationId: 'listOrders',
        tags,
        summary: "List diners' orders",
        description: 'Oldest first. To take new orders, poll with `status=placed` and accept what you took.',
      },
      errors: storeErrors,
      example: { request: { status: 'placed' }, answer: { items: [examples.order], nextCursor: null } },
    })
    .input(listOrdersInput)
    .output(listOrdersOutput)
    .query(({ ctx, input }) => listOrders(ctx, input)),

  setStatus: posProcedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/orders/{orderId}/status',
        operationId: 'setOrderStatus',
        tags,
        summary: 'Move an order on',
        description:
          'placed → accepted → ready → served; steps may be left out. `cancelled` from any of the first three. The ' +
          'status that it has already answers the same.',
      },
      errors: [...storeErrors, 'order_not_found', 'order_status_refused'],
      example: { request: { orderId, status: 'accepted' }, answer: { ...examples.order, status: 'accepted' } },
    })
    .input(setOrderStatusInput)
    .output(order)
    .mutation(({ ctx, input }) => setOrderStatus(ctx, input)),
});
