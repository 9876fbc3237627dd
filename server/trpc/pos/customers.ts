import { z } from 'zod';
import { testCustomers } from '@/db/seed/test-data';
import {
  balancesByEmail,
  balancesByPhone,
  balancesOutput,
  enrolCustomer,
  enrolInput,
  enrolOutput,
  forgetPin,
  forgetPinInput,
  forgetPinOutput,
  updateCustomer,
  updateCustomerInput,
} from '@/server/domain/customers';
import { customer, email, phone } from '@/server/domain/identity';
import { storeCode } from '@/server/domain/kernel/schemas';
import * as examples from './examples';
import { pinErrors, posProcedure, router, storeErrors } from './init';

const tags = ['Customers'];
const newCustomer = { givenName: 'Rachel', lastName: 'Ong', email: 'rachel.ong@example.com' };

export const customersRouter = router({
  balancesByPhone: posProcedure
    .meta({
      scope: 'read',
      openapi: {
        method: 'GET',
        path: '/customers/phone/{phone}/balances',
        operationId: 'getCustomerBalancesByPhone',
        tags,
        summary: 'Retrieve customer campaign balances by phone number',
        description:
          "Returns the customer's stored value and points, and the vouchers that can be redeemed at the store now. URL-encode " +
          'the number (`+` is `%2B`). Spaces, dashes and national numbers are accepted.',
      },
      errors: [...storeErrors, 'customer_not_found'],
      example: { request: { phone: testCustomers.lookUp.phone }, answer: examples.balances },
    })
    .input(z.strictObject({ phone, storeCode: storeCode.optional() }))
    .output(balancesOutput)
    .query(({ ctx, input }) => balancesByPhone(ctx, input)),

  balancesByEmail: posProcedure
    .meta({
      scope: 'read',
      openapi: {
        method: 'GET',
        path: '/customers/email/{email}/balances',
        operationId: 'getCustomerBalancesByEmail',
        tags,
        summary: 'Retrieve customer campaign balances by e-mail',
        description:
          'Returns the same balances for a customer identified by e-mail address. Letter case does not matter.',
      },
      errors: [...storeErrors, 'customer_not_found'],
      example: { request: { email: testCustomers.lookUp.email }, answer: examples.balances },
    })
    .input(z.strictObject({ email, storeCode: storeCode.optional() }))
    .output(balancesOutput)
    .query(({ ctx, input }) => balancesByEmail(ctx, input)),

  enrol: posProcedure
    .meta({
      scope: 'loyalty',
      openapi: {
        method: 'POST',
        path: '/customers',
        operationId: 'enrolCustomer',
        tags,
        summary: 'Enrol a customer',
        description:
          'Adds a customer to the programme by phone number, e-mail address or both. If the customer is already enrolled, ' +
          'the response is 402 `customer_exists` with the `customerId`. Enrolling twice is safe.',
      },
      errors: [...storeErrors, 'customer_exists'],
      example: {
        request: newCustomer,
        answer: {
          ...examples.customer,
          ...newCustomer,
          phone: null,
          birthday: null,
          birthMonthDay: null,
          tags: [],
          hasPin: false,
          vouchersIssued: [],
        },
        fresh: { email: 'rachel.{fresh}@example.com' },
      },
    })
    .input(enrolInput)
    .output(enrolOutput)
    .mutation(({ ctx, input }) => enrolCustomer(ctx, input)),

  update: posProcedure
    .meta({
      scope: 'loyalty',
      openapi: {
        method: 'PATCH',
        path: '/customers/{customerId}',
        operationId: 'updateCustomer',
        tags,
        summary: 'Update a customer',
        description:
          "Changes the fields that are sent, and no others. The phone number needs the customer's `pin`; wrong PINs count as in " +
          'redemptions. A changed phone number also signs the customer out on their phones. The same request again changes nothing.',
      },
      errors: [...storeErrors, 'customer_not_found', 'customer_exists', ...pinErrors],
      example: {
        request: {
          customerId: testCustomers.lookUp.id,
          phone: testCustomers.lookUp.phone,
          email: testCustomers.lookUp.email,
          tags: examples.customer.tags,
          pin: testCustomers.lookUp.pin,
        },
        answer: examples.customer,
      },
    })
    .input(updateCustomerInput)
    .output(customer)
    .mutation(({ ctx, input }) => updateCustomer(ctx, input)),

  forgetPin: posProcedure
    .meta({
      scope: 'loyalty',
      openapi: {
        method: 'POST',
        path: '/customers/forget-pin',
        operationId: 'forgetPin',
        tags,
        summary: 'Customer forgot the PIN',
        description:
          "Replaces the customer's PIN with a new random one and sends it to the customer's WhatsApp. No response contains " +
          'the PIN. At most three new PINs per customer per hour.',
      },
      errors: [...storeErrors, 'customer_not_found', 'no_phone', 'pin_reset_too_often'],
      example: {
        request: { customer: { phone: testCustomers.forgetPin.phone } },
        answer: { status: 'sent', channel: 'whatsapp', phone: '+65••••4571' },
      },
    })
    .input(forgetPinInput)
    .output(forgetPinOutput)
    .mutation(({ ctx, input }) => forgetPin(ctx, input)),
});
