import { z } from 'zod';
import { storeCode } from '@/server/domain/core/schemas';
import { balancesOutput, enrolOutput } from '@/server/domain/customers/balance-schemas';
import { balancesByEmail, balancesByPhone } from '@/server/domain/customers/balances';
import { enrol } from '@/server/domain/customers/enrol';
import { forgetPin } from '@/server/domain/customers/forget-pin';
import { email, enrolInput, forgetPinInput, forgetPinOutput, phone } from '@/server/domain/customers/schemas';
import * as examples from './examples';
import { posProcedure, router, storeErrors } from './init';

const tags = ['Customers'];

export const customersRouter = router({
  balancesByPhone: posProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/customers/phone/{phone}/balances',
        operationId: 'getCustomerBalancesByPhone',
        tags,
        summary: 'Retrieve customer campaign balances by phone number',
        description:
          'What the customer holds: stored value, points, and the vouchers that can be redeemed at the store now. ' +
          'URL-encode the number (`+` is `%2B`); spaces, dashes and national numbers are understood.',
      },
      errors: [...storeErrors, 'customer_not_found'],
      example: { request: { phone: '+6591234567' }, answer: examples.balances },
    })
    .input(z.strictObject({ phone, storeCode: storeCode.optional() }))
    .output(balancesOutput)
    .query(({ ctx, input }) => balancesByPhone(ctx, input)),

  balancesByEmail: posProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/customers/email/{email}/balances',
        operationId: 'getCustomerBalancesByEmail',
        tags,
        summary: 'Retrieve customer campaign balances by e-mail',
        description: 'The same, the customer being identified by e-mail address; letter case does not matter.',
      },
      errors: [...storeErrors, 'customer_not_found'],
      example: { request: { email: 'mei.ling@example.com' }, answer: examples.balances },
    })
    .input(z.strictObject({ email, storeCode: storeCode.optional() }))
    .output(balancesOutput)
    .query(({ ctx, input }) => balancesByEmail(ctx, input)),

  enrol: posProcedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/customers',
        operationId: 'enrolCustomer',
        tags,
        summary: 'Enrol a customer',
        description:
          'Adds a customer to the programme, by phone number or e-mail address or both. One who is enrolled already ' +
          'answers 402 `customer_exists` with the `customerId`, so that enrolling twice is safe.',
      },
      errors: [...storeErrors, 'customer_exists'],
      example: {
        request: { givenName: 'Mei Ling', lastName: 'Tan', phone: '+6591234567', email: 'mei.ling@example.com' },
        answer: { ...examples.customer, birthday: null, hasPin: false, vouchersIssued: [] },
      },
    })
    .input(enrolInput)
    .output(enrolOutput)
    .mutation(({ ctx, input }) => enrol(ctx, input)),

  forgetPin: posProcedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/customers/forget-pin',
        operationId: 'forgetPin',
        tags,
        summary: 'Customer forgot the PIN',
        description:
          "A new random PIN replaces the old one and goes to the customer's WhatsApp; it is in no answer. Three an hour " +
          'for a customer at the most.',
      },
      errors: [...storeErrors, 'customer_not_found', 'no_phone', 'pin_reset_too_often'],
      example: {
        request: { customer: { phone: '+6591234567' } },
        answer: { status: 'sent', channel: 'whatsapp', phone: '+65••••4567' },
      },
    })
    .input(forgetPinInput)
    .output(forgetPinOutput)
    .mutation(({ ctx, input }) => forgetPin(ctx, input)),
});
