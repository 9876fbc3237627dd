/** Operations for tests, which production does not have. */
import { testCustomers } from '@/db/seed/test-data';
import { advanceClockByKey } from '@/server/domain/automations';
import { sandboxClockInput, sandboxClockOutput } from '@/server/domain/merchants';
import { listSandboxMessages, sandboxMessagesInput, sandboxMessagesOutput } from '@/server/domain/messaging';
import { placeTestOrder, placeTestOrderInput, placeTestOrderOutput } from '@/server/domain/qr-ordering';
import { faultsInput, faultsOutput, resetInput, resetOutput, resetSandbox, setFaults } from '@/server/domain/sandbox';
import { posProcedure, router, storeErrors } from './init';

const tags = ['Sandbox'];

export const sandboxRouter = router({
  messages: posProcedure
    .meta({
      scope: 'read',
      isSandboxOnly: true,
      openapi: {
        method: 'GET',
        path: '/sandbox/messages',
        operationId: 'listSandboxMessages',
        tags,
        summary: 'Read messages to customers',
        description:
          'Lists the messages that production would have sent to customers over WhatsApp, newest first, with the PINs and ' +
          'sign-in codes in them. So a test needs no phone.',
      },
      example: {
        request: { phone: testCustomers.forgetPin.phone },
        answer: {
          items: [
            {
              messageId: '01981f2e-a150-7e2f-b0c4-7d1e5f9a2b38',
              kind: 'pin',
              customerId: testCustomers.forgetPin.id,
              phone: testCustomers.forgetPin.phone,
              code: '4831',
              text: null,
              createdAt: '2026-11-20T11:42:07.318Z',
            },
          ],
          nextCursor: null,
        },
      },
    })
    .input(sandboxMessagesInput)
    .output(sandboxMessagesOutput)
    .query(({ ctx, input }) => listSandboxMessages(ctx, input)),

  clock: posProcedure
    .meta({
      scope: 'all',
      isSandboxOnly: true,
      openapi: {
        method: 'POST',
        path: '/sandbox/clock',
        operationId: 'advanceSandboxClock',
        tags,
        summary: "Advance the merchant's clock",
        description:
          'Advances the clock of the merchant, for all of its keys, staff and diners, by up to two years in all. What ' +
          'becomes due is done within seconds: vouchers are issued, value expires, reminders are sent. The clock does not ' +
          'go back until the data is reset. Security limits, such as those of keys and PINs, follow the real time.',
      },
      // An hour: by a day, the other examples' bills would be those of yesterday.
      example: { request: { seconds: 3_600 }, answer: { now: '2026-11-20T12:42:07.318Z' } },
    })
    .input(sandboxClockInput)
    .output(sandboxClockOutput)
    .mutation(({ ctx, input }) => advanceClockByKey(ctx, input)),

  order: posProcedure
    .meta({
      scope: 'ordering',
      isSandboxOnly: true,
      openapi: {
        method: 'POST',
        path: '/sandbox/orders',
        operationId: 'placeSandboxOrder',
        tags,
        summary: "Place a diner's order",
        description:
          'Places an order as a phone at the table would, at the prices of the menu. The till gets it by `GET /orders` and ' +
          'the event `order.placed`. A repeat places another order.',
      },
      errors: [...storeErrors, 'qr_code_not_found', 'qr_code_closed', 'items_unavailable'],
      example: {
        request: {
          billId: 'B-1097',
          table: '7',
          lines: [{ plu: 'N001', quantity: 2, options: ['More sambal'], note: 'less spicy' }, { plu: 'D001' }],
          guestName: 'Mei',
        },
        answer: {
          orderId: '01981f2e-a7c0-7d13-9b52-61f0c3d84e27',
          qrCodeId: '01981f2e-a7b8-7c60-8f4a-0e9d2b7c5a13',
          total: 2060,
          waitsForStaff: false,
        },
        fresh: { billId: 'B-{fresh}' },
      },
    })
    .input(placeTestOrderInput)
    .output(placeTestOrderOutput)
    .mutation(({ ctx, input }) => placeTestOrder(ctx, input)),

  faults: posProcedure
    .meta({
      scope: 'read',
      isSandboxOnly: true,
      openapi: {
        method: 'POST',
        path: '/sandbox/faults',
        operationId: 'setSandboxFaults',
        tags,
        summary: 'Order faults for the next responses',
        description:
          'Makes the next responses to this key fail, so that you can test how your till retries. Operations of the ' +
          'sandbox itself never fail so, and do not count. A new list replaces the one before. A restart of the sandbox ends ' +
          'all faults.',
      },
      // Harmless if someone sends all examples.
      example: { request: { next: ['none', 'none'] }, answer: { next: ['none', 'none'] } },
    })
    .input(faultsInput)
    .output(faultsOutput)
    .mutation(({ ctx, input }) => setFaults(ctx, input)),

  reset: posProcedure
    .meta({
      scope: 'all',
      isSandboxOnly: true,
      openapi: {
        method: 'POST',
        path: '/sandbox/reset',
        operationId: 'resetSandbox',
        tags,
        summary: "Reset the merchant's data",
        description:
          "Deletes the merchant's customers and all that happened: transactions, vouchers, orders, QR codes, stock-outs, " +
          "messages and events. The clock goes back to the real time, and this key's faults end. Stores, keys, staff, menu, " +
          'packages and voucher campaigns stay, and so do settings. The demo merchant Kopi & Kaya gets its test data back. ' +
          'Requests of other tills at the same moment may be deleted, too.',
      },
      example: { request: {}, answer: { now: '2026-11-20T11:42:07.318Z' } },
    })
    .input(resetInput)
    .output(resetOutput)
    .mutation(({ ctx }) => resetSandbox(ctx)),
});
