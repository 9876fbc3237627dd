import {
  generateQrCode,
  generateQrCodeInput,
  generateQrCodeOutput,
  getQrCode,
  invalidateQrCode,
  invalidateQrCodeInput,
  invalidateQrCodeOutput,
  listOrders,
  listOrdersInput,
  listOrdersOutput,
  order,
  qrCodeInput,
  qrCodeOutput,
  setOrderStatus,
  setOrderStatusInput,
} from '@/server/domain/qr-ordering';
import * as examples from './examples';
import { posProcedure, router, storeErrors } from './init';

const tags = ['QR ordering'];
const { qrCodeId, billId, table, orderId } = examples.order;

export const qrCodesRouter = router({
  generate: posProcedure
    .meta({
      scope: 'ordering',
      openapi: {
        method: 'POST',
        path: '/qr-codes',
        operationId: 'generateQrCode',
        tags,
        summary: 'Generate a QR code',
        description:
          "Creates a QR code that a bill's diners scan to order. An open bill returns its existing code, with the original " +
          'table and guests. To change those, invalidate the code first. `expiresInMinutes` counts from now and can extend ' +
          'an open code, but never shorten it.',
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
      scope: 'ordering',
      openapi: {
        method: 'POST',
        path: '/qr-codes/invalidate',
        operationId: 'invalidateQrCode',
        tags,
        summary: 'Invalidate a QR code',
        description:
          'Call it when the bill is settled. From then on the code takes no orders. Send either `qrCodeId` or `billId`. A ' +
          'repeat returns the same response.',
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
      scope: 'read',
      openapi: {
        method: 'GET',
        path: '/qr-codes/{qrCodeId}',
        operationId: 'getQrCode',
        tags,
        summary: 'Look up a QR code',
        description: 'Returns the code and the orders placed with it.',
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
      scope: 'read',
      openapi: {
        method: 'GET',
        path: '/orders',
        operationId: 'listOrders',
        tags,
        summary: "List diners' orders",
        description:
          'Lists orders, oldest first. To receive new orders, poll with `status=placed` and accept each order you have received.',
      },
      errors: storeErrors,
      example: { request: { status: 'placed' }, answer: { items: [examples.order], nextCursor: null } },
    })
    .input(listOrdersInput)
    .output(listOrdersOutput)
    .query(({ ctx, input }) => listOrders(ctx, input)),

  setStatus: posProcedure
    .meta({
      scope: 'ordering',
      openapi: {
        method: 'POST',
        path: '/orders/{orderId}/status',
        operationId: 'setOrderStatus',
        tags,
        summary: 'Update the status of an order',
        description:
          'Statuses go placed → accepted → ready → served. Steps can be skipped. Any of the first three can go to ' +
          '`cancelled`. Setting the current status again returns the same response.',
      },
      errors: [...storeErrors, 'order_not_found', 'order_status_refused'],
      example: { request: { orderId, status: 'accepted' }, answer: { ...examples.order, status: 'accepted' } },
    })
    .input(setOrderStatusInput)
    .output(order)
    .mutation(({ ctx, input }) => setOrderStatus(ctx, input)),
});
