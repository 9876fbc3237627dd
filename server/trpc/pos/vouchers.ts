import { testCustomers } from '@/db/seed/test-data';
import { redeemPoints, redeemPointsInput, redeemPointsOutput } from '@/server/domain/points';
import { saleInput, saleOutput, submitSale, withReadableCustomer } from '@/server/domain/sales';
import { redeemVoucher, redeemVoucherInput, redeemVoucherOutput } from '@/server/domain/vouchers';
import * as examples from './examples';
import { pinErrors, posProcedure, router, transactionErrors } from './init';

const voucherRequest = {
  transactionId: 'T1-20261120-0044',
  customer: { phone: testCustomers.lookUp.phone },
  voucherCode: examples.voucher.voucherCode,
  bill: { amount: 1780, lines: [{ plu: 'N001', quantity: 2, unitPrice: 890 }] },
  pin: testCustomers.lookUp.pin,
  // Allows the example to be sent repeatedly.
  dryRun: true,
};

export const vouchersRouter = router({
  redeem: posProcedure
    .meta({
      scope: 'loyalty',
      openapi: {
        method: 'POST',
        path: '/transactions/voucher/redeem',
        operationId: 'redeemVoucher',
        tags: ['Vouchers'],
        summary: 'Redeem a voucher',
        description:
          'Validates the voucher, redeems it and returns the discount, in total and by line. Item vouchers need `bill.lines`. ' +
          'With `dryRun`, nothing changes and the `transactionId` stays unused.',
      },
      errors: [
        ...transactionErrors,
        ...pinErrors,
        'customer_blocked',
        'points_owed',
        'bill_lines_required',
        'voucher_not_found',
        'voucher_redeemed',
        'voucher_expired',
        'voucher_not_applicable',
        'minimum_spend_not_met',
        'voucher_not_stackable',
        'bill_due_exceeded',
        'bill_closed',
      ],
      example: {
        request: voucherRequest,
        answer: {
          transactionId: 'T1-20261120-0044',
          ...examples.completedFor(testCustomers.lookUp),
          status: 'dryRun',
          printText:
            'Kopi & Kaya\nVoucher                      K7WQM-3RTXV\nDiscount                          -$1.78\nTo pay                            $16.02',
          type: 'redeemVoucher',
          voucherCode: examples.voucher.voucherCode,
          unit: 'BillDollarPercentage',
          discount: { amount: 178, lines: [{ index: 0, plu: 'N001', amount: 178 }] },
          billAmountAfter: 1602,
        },
        fresh: examples.freshId,
      },
    })
    .input(redeemVoucherInput)
    .output(redeemVoucherOutput)
    .mutation(({ ctx, input }) => redeemVoucher(ctx, input)),
});

export const pointsRouter = router({
  redeem: posProcedure
    .meta({
      scope: 'loyalty',
      openapi: {
        method: 'POST',
        path: '/transactions/points/redeem',
        operationId: 'redeemPoints',
        tags: ['Points'],
        summary: 'Redeem points',
        description: 'Redeems points for a discount on the bill, at the value set by the merchant.',
      },
      errors: [
        ...transactionErrors,
        ...pinErrors,
        'customer_blocked',
        'points_owed',
        'insufficient_points',
        'minimum_points_not_met',
        'bill_due_exceeded',
        'bill_closed',
      ],
      example: {
        request: {
          transactionId: 'T1-20261120-0045',
          customer: { phone: testCustomers.points.phone },
          points: 300,
          pin: testCustomers.points.pin,
        },
        answer: {
          transactionId: 'T1-20261120-0045',
          ...examples.completedFor(testCustomers.points),
          printText:
            'Kopi & Kaya\nPoints used                          300\nDiscount                          -$3.00\nPoints                            99,700',
          type: 'redeemPoints',
          pointsRedeemed: 300,
          amount: 300,
          points: { balance: 99700, worth: 99700 },
        },
        fresh: examples.freshId,
      },
    })
    .input(redeemPointsInput)
    .output(redeemPointsOutput)
    .mutation(({ ctx, input }) => redeemPoints(ctx, input)),
});

export const salesRouter = router({
  submit: posProcedure
    .meta({
      scope: 'loyalty',
      openapi: {
        method: 'POST',
        path: '/sales',
        operationId: 'submitSale',
        tags: ['Sales'],
        summary: 'Submit a sale',
        description:
          'Records a settled bill, or the settled part of one. With a customer, it earns points on `subtotal` less `discount`, as ' +
          'of `occurredAt`. If the merchant has turned this on, an unknown phone number or e-mail address is enrolled. With ' +
          '`ifCustomerUnknown`, a paid sale is recorded even if nobody is known by `customer`. Sales that name an open bill add ' +
          'up on it, and close it once nothing is due or all of its goods are sold.',
      },
      mendInput: withReadableCustomer,
      errors: [...transactionErrors, 'totals_mismatch', 'limit_exceeded', 'bill_changed'],
      example: {
        request: {
          transactionId: 'T1-20261120-0046',
          customer: { phone: testCustomers.points.phone },
          ifCustomerUnknown: 'recordWithout',
          billId: 'B-1093',
          lines: [{ plu: 'N001', name: 'Laksa', quantity: 2, unitPrice: 890, amount: 1780 }],
          subtotal: 1780,
          discount: 0,
          serviceCharge: 178,
          tax: 176,
          rounding: 1,
          total: 2135,
          payments: [{ method: 'visa', amount: 2135 }],
          closedAt: '2026-11-20T19:42:00+08:00',
        },
        answer: examples.sale,
        others: examples.otherSales,
        fresh: examples.freshId,
      },
    })
    .input(saleInput)
    .output(saleOutput)
    .mutation(({ ctx, input }) => submitSale(ctx, input)),
});
