import { testCustomers, testOrdering } from '@/db/seed/test-data';
import {
  beginSettling,
  bill,
  closeBill,
  closeBillInput,
  getBill,
  getBillInput,
  putBill,
  putBillInput,
  refundBillPaymentInput,
  releaseBillPayment,
  releaseBillPaymentInput,
  reopenBill,
  reopenBillInput,
  settlingInput,
  voidBill,
  voidBillInput,
} from '@/server/domain/bills';
import { refundBillPayment } from '@/server/domain/transactions';
import * as examples from './examples';
import { posProcedure, router, storeErrors } from './init';

const tags = ['Bills'];
const { billId, revision, table, currency, lines, subtotal, discount, serviceCharge, tax, total } = examples.bill;
const paidTotal = lines.reduce((sum, { amount }) => sum + amount, 0);
/** A bill whose only payment was refunded. */
const refunded = {
  ...examples.bill,
  billId: testOrdering.paidBillId,
  revision: 1,
  serviceCharge: 0,
  tax: 0,
  total: paidTotal,
  redemptions: [],
  redeemed: 0,
  paid: 0,
  due: paidTotal,
  payments: [
    {
      paymentId: testOrdering.paymentId,
      method: 'card',
      state: 'returned',
      amount: paidTotal,
      tip: 0,
      returned: paidTotal,
      createdAt: examples.bill.openedAt,
    },
  ],
};
/** A closed bill, 3.00 of whose payment by card went back with the points that they had earned. */
const refundedInPart = {
  ...refunded,
  state: 'closed',
  paid: paidTotal - 300,
  due: 0,
  unsettled: 300,
  payments: refunded.payments.map((payment) => ({ ...payment, state: 'paid', returned: 300 })),
  sales: [
    {
      transactionId: 'T1-20261120-0046',
      customerId: testCustomers.points.id,
      total: paidTotal,
      taken: 0,
      pointsEarned: 12,
      pointsTaken: 2,
    },
  ],
  closedAt: examples.bill.updatedAt,
};
const unpaid = { ...examples.bill, redemptions: [], redeemed: 0, due: total };

export const billsRouter = router({
  put: posProcedure
    .meta({
      scope: 'bills',
      openapi: {
        method: 'PUT',
        path: '/bills/{billId}',
        operationId: 'putBill',
        tags,
        summary: 'Create or replace an open bill',
        description:
          'Send the whole bill each time it changes, with a higher `revision`. The same request again returns the bill as it ' +
          'is. If guests pay a part at the till, send it in `paidAtTill`, and the others are asked for the rest. All redemptions ' +
          'with this `billId` count on the bill, those of other tills and of phones, too. Twelve hours after a bill was closed, or ' +
          'last sent if the till forgot to close it, its `billId` can be used for another.',
      },
      errors: [...storeErrors, 'totals_mismatch', 'bill_revision_outdated', 'bill_revision_reused', 'bill_closed'],
      example: {
        request: { billId, revision, table, currency, lines, subtotal, discount, serviceCharge, tax, total },
        answer: unpaid,
      },
    })
    .input(putBillInput)
    .output(bill)
    .mutation(({ ctx, input }) => putBill(ctx, input)),

  get: posProcedure
    .meta({
      scope: 'read',
      openapi: {
        method: 'GET',
        path: '/bills/{billId}',
        operationId: 'getBill',
        tags,
        summary: 'Look up a bill',
        description:
          'Returns the open bill, or else the latest with this `billId`: what was redeemed and paid on it, by what, and what ' +
          'is due.',
      },
      errors: [...storeErrors, 'bill_not_found'],
      example: { request: { billId }, answer: examples.bill },
    })
    .input(getBillInput)
    .output(bill)
    .query(({ ctx, input }) => getBill(ctx, input)),

  close: posProcedure
    .meta({
      scope: 'bills',
      openapi: {
        method: 'POST',
        path: '/bills/{billId}/close',
        operationId: 'closeBill',
        tags,
        summary: 'Close a bill',
        description:
          'Call it when the bill is settled, whatever was due here. `POST /sales` with the `billId` does the same once all is ' +
          'settled. What a diner pays from then on is returned, and so is what diners paid too much. `unsettled` says what ' +
          'was missing. A repeat returns the same response. If the bill was reopened since `occurredAt`, this is a late copy: the bill ' +
          'stays as it is and is returned.',
      },
      errors: [...storeErrors, 'bill_not_found', 'bill_closed', 'bill_changed'],
      example: {
        request: { billId },
        answer: {
          ...examples.bill,
          state: 'closed',
          due: 0,
          unsettled: examples.bill.due,
          closedAt: '2026-11-20T13:05:44.120Z',
        },
      },
    })
    .input(closeBillInput)
    .output(bill)
    .mutation(({ ctx, input }) => closeBill(ctx, input)),

  settling: posProcedure
    .meta({
      scope: 'bills',
      openapi: {
        method: 'POST',
        path: '/bills/{billId}/settling',
        operationId: 'beginSettling',
        tags,
        summary: 'Pause changes by phones',
        description:
          'Call it when the cashier begins to take money: for some minutes, diners can neither pay nor redeem nor take back on ' +
          'their phones, which say why. The response has what is `due`, and what is `held` by payments that had begun.',
      },
      errors: [...storeErrors, 'bill_not_found', 'bill_closed'],
      example: {
        request: { billId: testOrdering.paidBillId, minutes: 5 },
        answer: { ...refunded, settlingUntil: '2026-11-20T13:10:44.120Z' },
      },
    })
    .input(settlingInput)
    .output(bill)
    .mutation(({ ctx, input }) => beginSettling(ctx, input)),

  reopen: posProcedure
    .meta({
      scope: 'bills',
      openapi: {
        method: 'POST',
        path: '/bills/{billId}/reopen',
        operationId: 'reopenBill',
        tags,
        summary: 'Reopen a bill',
        description:
          'Undoes a closing by mistake, up to twelve hours later: the bill is open again with its redemptions, payments and ' +
          'sales, and takes a higher `revision`. The void of the sale that closed a bill does the same by itself, in the same time. A repeat ' +
          'returns the bill as it is.',
      },
      errors: [...storeErrors, 'bill_not_found', 'bill_closed'],
      example: { request: { billId, reason: 'Closed the wrong table' }, answer: examples.bill },
    })
    .input(reopenBillInput)
    .output(bill)
    .mutation(({ ctx, input }) => reopenBill(ctx, input)),

  void: posProcedure
    .meta({
      scope: 'bills',
      openapi: {
        method: 'POST',
        path: '/bills/{billId}/void',
        operationId: 'voidBill',
        tags,
        summary: 'Void a bill',
        description:
          'Cancels an open bill on which nothing was redeemed or paid: send it without `paidAtTill` first. What a diner is paying at this moment is returned. A ' +
          'repeat returns the same response.',
      },
      errors: [...storeErrors, 'bill_not_found', 'bill_closed', 'bill_paid'],
      example: {
        request: { billId: testOrdering.mistakenBillId, reason: 'Opened by mistake' },
        answer: {
          ...unpaid,
          billId: testOrdering.mistakenBillId,
          state: 'void',
          due: 0,
          closedAt: '2026-11-20T11:45:10.005Z',
        },
      },
    })
    .input(voidBillInput)
    .output(bill)
    .mutation(({ ctx, input }) => voidBill(ctx, input)),

  refundPayment: posProcedure
    .meta({
      scope: 'bills',
      openapi: {
        method: 'POST',
        path: '/bills/{billId}/payments/{paymentId}/refund',
        operationId: 'refundBillPayment',
        tags,
        summary: 'Refund a payment of a bill',
        description:
          'Returns what a diner has paid by card, all or in part, also once the bill is closed. On an open bill, it is due ' +
          'again. A repeat changes nothing and returns the bill as it is.',
      },
      errors: [...storeErrors, 'bill_payment_not_found'],
      example: {
        request: { billId: testOrdering.paidBillId, paymentId: testOrdering.paymentId, reason: 'Dish sent back' },
        answer: refunded,
        others: {
          pointsTaken: {
            summary: 'A part goes back after the sale, with the points that it had earned',
            answer: refundedInPart,
          },
        },
      },
    })
    .input(refundBillPaymentInput)
    .output(bill)
    .mutation(({ ctx, input }) => refundBillPayment(ctx, input)),

  releasePayment: posProcedure
    .meta({
      scope: 'bills',
      openapi: {
        method: 'POST',
        path: '/bills/{billId}/payments/{paymentId}/release',
        operationId: 'releaseBillPayment',
        tags,
        summary: 'Release a payment in progress',
        description:
          'Ends a payment that a phone has begun (`state` `held`), such as of a guest who has left: its amount is free to pay again. ' +
          'A payment that was made stays as it is; refund it instead. One that the bank confirms later counts if it is still due, ' +
          'and is returned otherwise. A redemption at the till needs no release: it goes before what phones hold. A repeat ' +
          'returns the bill as it is.',
      },
      errors: [...storeErrors, 'bill_payment_not_found'],
      example: {
        request: { billId: testOrdering.paidBillId, paymentId: testOrdering.paymentId },
        answer: refunded,
      },
    })
    .input(releaseBillPaymentInput)
    .output(bill)
    .mutation(({ ctx, input }) => releaseBillPayment(ctx, input)),
});
