import { testCounterCode, testCustomers } from '@/db/seed/test-data';
import {
  cashOut,
  cashOutInput,
  cashOutOutput,
  listPackages,
  packagesInput,
  packagesOutput,
  redeemInput,
  redeemOutput,
  redeemStoredValue,
  topUpInput,
  topUpOutput,
} from '@/server/domain/stored-value';
import { counterCodeInput, counterTopUp, lookUpCounterCode, topUp } from '@/server/domain/top-ups';
import * as examples from './examples';
import { pinErrors, posProcedure, router, storeErrors, transactionErrors } from './init';

const tags = ['Stored value'];

export const storedValueRouter = router({
  packages: posProcedure
    .meta({
      scope: 'read',
      openapi: {
        method: 'GET',
        path: '/stores/{storeCode}/stored-value-packages',
        operationId: 'listStoredValuePackages',
        tags,
        summary: 'Retrieve stored-value packages',
        description: 'Returns the top-up packages that the store offers now, in display order.',
      },
      errors: storeErrors,
      example: {
        request: { storeCode: 'ORCHARD' },
        answer: {
          packages: [
            {
              packageId: examples.packageId,
              name: 'Top up 100, get 120',
              kind: 'fixed',
              amount: 10000,
              minAmount: null,
              maxAmount: null,
              bonusAmount: 2000,
              bonusPercent: null,
              creditedAmount: 12000,
              bonusExpiresInDays: 90,
              validFrom: null,
              validUntil: null,
            },
          ],
          currency: 'SGD',
        },
      },
    })
    .input(packagesInput)
    .output(packagesOutput)
    .query(({ ctx, input }) => listPackages(ctx, input)),

  topUp: posProcedure
    .meta({
      scope: 'loyalty',
      openapi: {
        method: 'POST',
        path: '/transactions/stored-value/top-up',
        operationId: 'topUpStoredValue',
        tags,
        summary: 'Top up stored value',
        description:
          'Credits the amount that the customer paid at the till, plus the bonus of the package. With `counterCode`, it ' +
          'credits the top-up that the customer began on the phone, once, on the terms offered there. It is safe to send ' +
          'again with the same `transactionId`.',
      },
      errors: [
        ...transactionErrors,
        'package_not_found',
        'package_unavailable',
        'customer_blocked',
        'balance_limit_exceeded',
        'limit_exceeded',
        'top_up_request_not_found',
        'top_up_request_closed',
        'counter_code_mismatch',
      ],
      example: {
        request: {
          transactionId: 'T1-20261120-0041',
          customer: { phone: testCustomers.topUp.phone },
          packageId: examples.packageId,
          amount: 10000,
          billId: 'B-1093',
        },
        answer: { ...examples.topUp, transactionId: 'T1-20261120-0041', customerId: testCustomers.topUp.id },
        fresh: examples.freshId,
      },
    })
    .input(topUpInput)
    .output(topUpOutput)
    .mutation(({ ctx, input }) => topUp(ctx, input)),

  topUpRequest: posProcedure
    .meta({
      scope: 'read',
      openapi: {
        method: 'GET',
        path: '/top-up-requests/{counterCode}',
        operationId: 'getTopUpRequest',
        tags,
        summary: 'Look up a top-up by its counter code',
        description:
          "Returns the top-up behind the six-digit code on a customer's phone: the customer, the amount to pay and the value " +
          'to credit. Take the payment, then top up with the same customer, package and `counterCode`.',
      },
      errors: ['top_up_request_not_found', 'top_up_request_closed'],
      example: {
        request: { counterCode: testCounterCode },
        answer: {
          counterCode: testCounterCode,
          customer: { customerId: testCustomers.topUp.id, givenName: 'Wei Jie', lastName: 'Lim' },
          packageId: examples.packageId,
          packageName: 'Top up 100, get 120',
          amount: 10000,
          bonus: 2000,
          credited: 12000,
          currency: 'SGD',
          expiresAt: '2026-11-20T12:12:07.318Z',
        },
      },
    })
    .input(counterCodeInput)
    .output(counterTopUp)
    .query(({ ctx, input }) => lookUpCounterCode(ctx, input)),

  redeem: posProcedure
    .meta({
      scope: 'loyalty',
      openapi: {
        method: 'POST',
        path: '/transactions/stored-value/redeem',
        operationId: 'redeemStoredValue',
        tags,
        summary: 'Redeem stored value',
        description:
          'Pays `amount` from the balance. Value that expires soonest is spent first. With `allowPartial`, a lower balance is ' +
          'used up and `remainingDue` is the amount still due.',
      },
      errors: [
        ...transactionErrors,
        ...pinErrors,
        'customer_blocked',
        'points_owed',
        'insufficient_balance',
        'bill_due_exceeded',
        'bill_closed',
      ],
      example: {
        request: {
          transactionId: 'T1-20261120-0043',
          customer: { phone: testCustomers.redeem.phone },
          amount: 2450,
          pin: testCustomers.redeem.pin,
        },
        answer: {
          transactionId: 'T1-20261120-0043',
          ...examples.completedFor(testCustomers.redeem),
          printText: 'Kopi & Kaya\nStored value used                 $24.50\nBalance                        $9,975.50',
          type: 'redeemStoredValue',
          amountRedeemed: 2450,
          remainingDue: 0,
          principalUsed: 2450,
          bonusUsed: 0,
          storedValue: { balance: 997550, principal: 997550, bonus: 0 },
        },
        fresh: examples.freshId,
      },
    })
    .input(redeemInput)
    .output(redeemOutput)
    .mutation(({ ctx, input }) => redeemStoredValue(ctx, input)),

  cashOut: posProcedure
    .meta({
      scope: 'loyalty',
      openapi: {
        method: 'POST',
        path: '/transactions/stored-value/cash-out',
        operationId: 'cashOutStoredValue',
        tags,
        summary: 'Cash out stored value',
        description:
          'Pays out what is left of what the customer paid: hand `amountPaidOut` to the customer. The same share of the ' +
          "top-up's bonus lapses, unless the merchant keeps it. Top-ups paid by card on a phone are not paid out: they are " +
          'refunded to the card. It is safe to send again with the same `transactionId`.',
      },
      errors: [
        ...transactionErrors,
        ...pinErrors,
        'transaction_not_found',
        'customer_blocked',
        'points_owed',
        'insufficient_balance',
        'limit_exceeded',
      ],
      example: {
        request: {
          transactionId: 'T1-20261120-0052',
          customer: { phone: testCustomers.redeem.phone },
          amount: 5000,
          pin: testCustomers.redeem.pin,
        },
        answer: {
          transactionId: 'T1-20261120-0052',
          ...examples.completedFor(testCustomers.redeem),
          printText: 'Kopi & Kaya\nPaid out                          $50.00\nBalance                        $9,950.00',
          type: 'cashOut',
          amountPaidOut: 5000,
          bonusLapsed: 0,
          storedValue: { balance: 995000, principal: 995000, bonus: 0 },
        },
        fresh: examples.freshId,
      },
    })
    .input(cashOutInput)
    .output(cashOutOutput)
    .mutation(({ ctx, input }) => cashOut(ctx, input)),
});
