/** Generated from the OpenAPI document. To write it again: npx vitest run e2e/rest/client/types.test.ts --update=true */

export interface paths {
    "/ping": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check a key
         * @description Returns the merchant and the stores that the key works for. Make this call first: a merchant-wide key names one of `stores` in its requests.
         */
        get: operations["ping"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/customers/phone/{phone}/balances": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve customer campaign balances by phone number
         * @description Returns the customer's stored value and points, and the vouchers that can be redeemed at the store now. URL-encode the number (`+` is `%2B`). Spaces, dashes and national numbers are accepted.
         */
        get: operations["getCustomerBalancesByPhone"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/customers/email/{email}/balances": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve customer campaign balances by e-mail
         * @description Returns the same balances for a customer identified by e-mail address. Letter case does not matter.
         */
        get: operations["getCustomerBalancesByEmail"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/customers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Enrol a customer
         * @description Adds a customer to the programme by phone number, e-mail address or both. If the customer is already enrolled, the response is 402 `customer_exists` with the `customerId`. Enrolling twice is safe.
         */
        post: operations["enrolCustomer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/customers/forget-pin": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Customer forgot the PIN
         * @description Replaces the customer's PIN with a new random one and sends it to the customer's WhatsApp. No response contains the PIN. At most three new PINs per customer per hour.
         */
        post: operations["forgetPin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stores/{storeCode}/stored-value-packages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve stored-value packages
         * @description Returns the top-up packages that the store offers now, in display order.
         */
        get: operations["listStoredValuePackages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/transactions/stored-value/top-up": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Top up stored value
         * @description Credits the amount that the customer paid at the till, plus the bonus of the package. With `counterCode`, it credits the top-up that the customer began on the phone, once, on the terms offered there. It is safe to send again with the same `transactionId`.
         */
        post: operations["topUpStoredValue"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/top-up-requests/{counterCode}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Look up a top-up by its counter code
         * @description Returns the top-up behind the six-digit code on a customer's phone: the customer, the amount to pay and the value to credit. Take the payment, then top up with the same customer, package and `counterCode`.
         */
        get: operations["getTopUpRequest"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/transactions/stored-value/redeem": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Redeem stored value
         * @description Pays `amount` from the balance. Value that expires soonest is spent first. With `allowPartial`, a lower balance is used up and `remainingDue` is the amount still due.
         */
        post: operations["redeemStoredValue"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/transactions/voucher/redeem": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Redeem a voucher
         * @description Validates the voucher, redeems it and returns the discount, in total and by line. Item vouchers need `bill.lines`. With `dryRun`, nothing changes and the `transactionId` stays unused.
         */
        post: operations["redeemVoucher"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/transactions/points/redeem": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Redeem points
         * @description Redeems points for a discount on the bill, at the value set by the merchant.
         */
        post: operations["redeemPoints"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sales": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Submit a sale
         * @description Records a settled bill. With a customer, it earns points on `subtotal` less `discount`, as of `occurredAt`. If the merchant has turned this on, an unknown phone number or e-mail address is enrolled. An open bill with the `billId` is closed.
         */
        post: operations["submitSale"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/transactions/void": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Void multiple transactions
         * @description Voids all of the transactions or none. Value returns to where it came from. A voided `transactionId` can never be used again. An id that was never used is recorded as voided, so a late original is refused.
         */
        post: operations["voidTransactions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/transactions/{transactionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Look up a transaction
         * @description Returns the outcome of a `transactionId`. Use it when no response arrived in time.
         */
        get: operations["getTransaction"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/qr-codes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Generate a QR code
         * @description Creates a QR code that a bill's diners scan to order. An open bill returns its existing code, with the original table and guests. To change those, invalidate the code first. `expiresInMinutes` counts from now and can extend an open code, but never shorten it.
         */
        post: operations["generateQrCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/qr-codes/invalidate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Invalidate a QR code
         * @description Call it when the bill is settled. From then on the code takes no orders. Send either `qrCodeId` or `billId`. A repeat returns the same response.
         */
        post: operations["invalidateQrCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/qr-codes/{qrCodeId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Look up a QR code
         * @description Returns the code and the orders placed with it.
         */
        get: operations["getQrCode"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List diners' orders
         * @description Lists orders, oldest first. To receive new orders, poll with `status=placed` and accept each order you have received.
         */
        get: operations["listOrders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orders/{orderId}/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Update the status of an order
         * @description Statuses go placed → accepted → ready → served. Steps can be skipped. Any of the first three can go to `cancelled`. Setting the current status again returns the same response.
         */
        post: operations["setOrderStatus"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/bills/{billId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Look up a bill
         * @description Returns the open bill, or else the latest with this `billId`: what was redeemed and paid on it, by what, and what is due.
         */
        get: operations["getBill"];
        /**
         * Create or replace an open bill
         * @description Send the whole bill each time it changes, with a higher `revision`. The same request again returns the bill as it is. Redemptions with this `billId` count on the bill, whoever sent them. Twelve hours after a bill was closed, or last sent if the till forgot to close it, its `billId` can be used for another.
         */
        put: operations["putBill"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/bills/{billId}/close": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Close a bill
         * @description Call it when the bill is settled, whatever was due here. `POST /sales` with the `billId` does the same. What a diner pays from then on is returned, and so is what diners paid too much. A repeat returns the same response.
         */
        post: operations["closeBill"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/bills/{billId}/void": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Void a bill
         * @description Cancels an open bill on which nothing was redeemed or paid. What a diner is paying at this moment is returned. A repeat returns the same response.
         */
        post: operations["voidBill"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/bills/{billId}/payments/{paymentId}/refund": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Refund a payment of a bill
         * @description Returns what a diner has paid by card, all or in part, also once the bill is closed. On an open bill, it is due again. A repeat changes nothing and returns the bill as it is.
         */
        post: operations["refundBillPayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stock-outs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List sold-out items
         * @description Lists the store's sold-out items, sorted by PLU.
         */
        get: operations["listStockOuts"];
        put?: never;
        /**
         * Stock out PLU items
         * @description Marks items as sold out. Ordering pages show this at once, and orders for these items are refused. A PLU that is not on the menu is kept and marked `known: false`.
         */
        post: operations["stockOut"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stock-outs/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore PLU items
         * @description Makes the items available again at once.
         */
        post: operations["restoreStock"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List events
         * @description Lists what changed, in the order in which to apply it: orders, transactions, customers, balances, stock-outs and QR codes. Keep `nextAfter` and send it as `after` in the next request. You then get every event once. Events are kept for 30 days. A key bound to a store gets its store's events. A merchant-wide key gets all, with those of customers. An owner turns recording on in the back office, under Webhooks. What only webhook endpoints want is recorded, too: then name these types.
         */
        get: operations["listEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read messages to customers
         * @description Lists the messages that production would have sent to customers over WhatsApp, newest first, with the PINs and sign-in codes in them. So a test needs no phone.
         */
        get: operations["listSandboxMessages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/clock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Advance the merchant's clock
         * @description Advances the clock of the merchant, for all of its keys, staff and diners, by up to two years in all. What becomes due is done within seconds: vouchers are issued, value expires, reminders are sent. The clock does not go back until the data is reset. Security limits, such as those of keys and PINs, follow the real time.
         */
        post: operations["advanceSandboxClock"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/faults": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Order faults for the next responses
         * @description Makes the next responses to this key fail, so that you can test how your till retries. Operations of the sandbox itself never fail so, and do not count. A new list replaces the one before. A restart of the sandbox ends all faults.
         */
        post: operations["setSandboxFaults"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reset the merchant's data
         * @description Deletes the merchant's customers and all that happened: transactions, vouchers, orders, QR codes, stock-outs, messages and events. The clock goes back to the real time, and this key's faults end. Stores, keys, staff, menu, packages and voucher campaigns stay, and so do settings. The demo merchant Kopi & Kaya gets its test data back. Requests of other tills at the same moment may be deleted, too.
         */
        post: operations["resetSandbox"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "order.placed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * order.placed
         * @description A diner placed an order.
         */
        post: operations["onOrderPlaced"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "order.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * order.updated
         * @description A POS or staff updated the status of an order.
         */
        post: operations["onOrderUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "transaction.completed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * transaction.completed
         * @description A top-up, redemption or sale was completed: by a POS, by staff, or a top-up paid online, which has no store.
         */
        post: operations["onTransactionCompleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "transaction.voided": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * transaction.voided
         * @description A completed transaction was voided, by a POS or by staff. Its `answer` is still the one of then: `balance.changed` follows with the balance after the void, unless it is the same.
         */
        post: operations["onTransactionVoided"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "customer.enrolled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * customer.enrolled
         * @description A customer was enrolled: by a POS, by staff, by an import, or by signing up.
         */
        post: operations["onCustomerEnrolled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "customer.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * customer.updated
         * @description Name, phone, e-mail address or birthday of a customer were changed.
         */
        post: operations["onCustomerUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "customer.merged": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * customer.merged
         * @description Staff merged a duplicate into another customer.
         */
        post: operations["onCustomerMerged"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "customer.erased": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * customer.erased
         * @description The personal data of a customer were erased, also in earlier events: their `data` is null now.
         */
        post: operations["onCustomerErased"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "balance.changed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * balance.changed
         * @description A balance was changed by something other than a completed transaction, such as a void.
         */
        post: operations["onBalanceChanged"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "stock_out.changed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * stock_out.changed
         * @description Items were sold out, got another time, or are available again.
         */
        post: operations["onStockOutChanged"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "qr_code.opened": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * qr_code.opened
         * @description A QR code was created.
         */
        post: operations["onQrCodeOpened"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "qr_code.settled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * qr_code.settled
         * @description A QR code was invalidated, because its bill was settled.
         */
        post: operations["onQrCodeSettled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "counter_code.topped_up": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * counter_code.topped_up
         * @description A top-up that a customer began on the phone was paid at the counter.
         */
        post: operations["onCounterCodeToppedUp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "bill.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * bill.updated
         * @description A POS sent a bill or changed it, or something was redeemed, paid or given back on it.
         */
        post: operations["onBillUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "bill.paid": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * bill.paid
         * @description Nothing is due on a bill any more. The POS can close it.
         */
        post: operations["onBillPaid"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "bill.closed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * bill.closed
         * @description A POS closed a bill, by itself or with its sale.
         */
        post: operations["onBillClosed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "bill.voided": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * bill.voided
         * @description A POS voided a bill.
         */
        post: operations["onBillVoided"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "table.called": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * table.called
         * @description The guests of a table call staff, or ask for the bill.
         */
        post: operations["onTableCalled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "table.call_answered": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * table.call_answered
         * @description A call waits no longer: staff answered it, the guests withdrew it, or their bill was settled. `status` says which.
         */
        post: operations["onTableCallAnswered"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "recording.changed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * recording.changed
         * @description An owner changed which types of events are recorded, or the service disabled a webhook endpoint. It is recorded in any case: of what was not recorded before, you missed the changes, so read the current state.
         */
        post: operations["onRecordingChanged"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        /** @description The error response of every operation. */
        ApiError: {
            error: components["schemas"]["ApiErrorBody"];
        };
        ApiErrorBody: {
            /** @description Stable, so programs can rely on it. `x-error-codes` of the response lists the current codes. */
            code: string;
            /** @description Text for the cashier. */
            message: string;
            details: components["schemas"]["ErrorDetails"];
            /** @description With status 400, what is wrong with the request, at least one: with `invalid_request`, each bad field; with `pin_required` and `bill_lines_required`, the missing one; with `totals_mismatch`, each wrong sum. Empty for every other status. */
            issues: components["schemas"]["Issue"][];
            /** @description Same as the header `x-request-id`. */
            requestId: string;
        };
        /** @description The stored error of a refused transaction. */
        Refusal: {
            error: components["schemas"]["RefusalBody"];
        };
        RefusalBody: {
            /** @description Stable, so programs can rely on it. One of the 402 codes of the operation. */
            code: string;
            /** @description Text for the cashier. */
            message: string;
            details: components["schemas"]["ErrorDetails"];
            /** @description With status 400, what is wrong with the request, at least one: with `invalid_request`, each bad field; with `pin_required` and `bill_lines_required`, the missing one; with `totals_mismatch`, each wrong sum. Empty for every other status. */
            issues: components["schemas"]["Issue"][];
        };
        /** @description Numbers and ids that the message refers to. Which fields there are depends on `code`: each response lists them for its codes. Empty for a code without any. */
        ErrorDetails: {
            /** @description The network address that the service sees. */
            address?: string;
            /** @description The price of the package in minor units, if the `amount` of the top-up differs from it. */
            amount?: number;
            /** @description Tries left before the PIN is locked. */
            attemptsLeft?: number;
            /** @description The current balance: minor units, or points. */
            balance?: number;
            /** @description The address to call from now on, instead of the one that ends with `/api/v1`. */
            baseUrl?: string;
            /** @description The amount of the bill in minor units. */
            billAmount?: number;
            /** @description The transactions that cannot be voided. */
            blocking?: {
                /** @description The transaction that cannot be voided. */
                transactionId: string;
                /** @description Why: `top_up_spent` or `customer_merged`. */
                code: string;
                /** @description What spent the value, newest first, 20 at most. */
                spentBy: {
                    /** @description Null for an adjustment by staff. */
                    transactionId: string | null;
                    /** @description The type of the transaction, or `adjustment`. */
                    type: string;
                    /** @description Null for an adjustment by staff. */
                    storeCode: string | null;
                }[];
            }[];
            /** @description What the top-up would have credited, in minor units. */
            credited?: number;
            /**
             * Format: uuid
             * @description The customer that has the phone number or e-mail address.
             */
            customerId?: string;
            /** @description What is due on the bill, in minor units. */
            due?: number;
            /** @description The `total` that the other sums give, in minor units. */
            expectedTotal?: number;
            /**
             * Format: date-time
             * @description When the voucher expired.
             */
            expiredAt?: string;
            /** @description What differs from the top-up on the phone: `customer`, `packageId` or `amount`. */
            field?: string;
            /** @description What diners are paying on the bill now, in minor units. */
            held?: number;
            /** @description With `limit_exceeded`, the name of the limit. With `balance_limit_exceeded`, the limit in minor units. */
            limit?: string | number;
            /** @description The maximum of an open package in minor units. */
            maxAmount?: number;
            /** @description The largest body that the service reads, in bytes. */
            maxBytes?: number;
            /** @description The value of the limit: minor units, or points. */
            maximum?: number;
            /** @description The minimum of an open package in minor units. */
            minAmount?: number;
            /** @description The minimum points of a redemption. */
            minRedeemPoints?: number;
            /** @description The minimum spend of the voucher in minor units. */
            minSpend?: number;
            /** @description The sum of `payments`, or what diners paid on the bill, in minor units. */
            paid?: number;
            /** @description The items that the voucher is for. */
            plus?: string[];
            /** @description What was requested: minor units, points, or a revision. With `order_status_refused`, the order status. */
            requested?: number | string;
            /** @description Seconds to wait before the next attempt. */
            retryAfterSeconds?: number;
            /** @description The revision that the bill has. */
            revision?: number;
            /** @description The scope that the operation needs. */
            scope?: string;
            /** @description The state of the top-up: `credited`, `voided`, `cancelled` or `expired`. Of a bill: `closed` or `void`. */
            state?: string;
            /** @description The current status of the order, or of the transaction that has the id. */
            status?: string;
            /** @description The redemptions on the bill. */
            transactionIds?: string[];
            /** @description The card payments on the bill. */
            paymentIds?: string[];
            /** @description The type of the transaction that has the id. */
            type?: string | null;
            /** @description The types of events that are not recorded. */
            types?: string[];
            /** @description What the day has given so far: minor units, or points. */
            used?: number;
        };
        Issue: {
            /** @description The field, such as `bill.lines.0.quantity`. Items count from 0. Empty if the issue is with the whole request. */
            path: string;
            message: string;
        };
        /** @description The customer. Send exactly one of `customerId`, `phone` and `email`. */
        CustomerRef: {
            /**
             * Format: uuid
             * @description The service's id of the customer.
             */
            customerId?: string;
            /** @description E.164 (`+6591234567`) or a national number of the merchant's country. Spaces and dashes are ignored. */
            phone?: string;
            /**
             * Format: email
             * @description Letter case does not matter.
             */
            email?: string;
        };
        Balances: {
            customer: components["schemas"]["Customer"];
            /** @description True if redemptions currently need the customer's PIN. */
            pinRequired: boolean;
            /** @description ISO 4217 code of the merchant's currency. */
            currency: string;
            storedValue: {
                /** @description Value the customer can spend now, in minor units. The sum of `principal` and `bonus`. */
                balance: number;
                /** @description The part the customer paid for. */
                principal: number;
                /** @description The part given by promotions. */
                bonus: number;
                /** @description Soonest first. */
                expiring: {
                    amount: number;
                    /**
                     * Format: date-time
                     * @description RFC 3339, UTC.
                     */
                    expiresAt: string;
                }[];
            };
            points: {
                balance: number;
                /** @description Value of the points when redeemed, in minor units. */
                worth: number;
                /** @description Value of one point when redeemed, in minor units. */
                pointValue: number;
                /** @description Minimum points per redemption. */
                minRedeemPoints: number;
                /** @description Soonest first. */
                expiring: {
                    points: number;
                    /**
                     * Format: date-time
                     * @description RFC 3339, UTC.
                     */
                    expiresAt: string;
                }[];
            };
            /** @description Vouchers that can be redeemed now at the store, or at any store if none is named. Those that expire soonest come first. At most 200. */
            vouchers: components["schemas"]["Voucher"][];
        };
        Customer: {
            /**
             * Format: uuid
             * @description The service's id of the customer.
             */
            customerId: string;
            givenName: string;
            lastName: string;
            /** @description E.164. */
            phone: string | null;
            email: string | null;
            birthday: string | null;
            /**
             * Format: date-time
             * @description RFC 3339, UTC.
             */
            joinedAt: string;
            /** @description Whether the customer has a PIN. */
            hasPin: boolean;
        };
        Voucher: {
            /** @description Easy to read out and type. Letter case, spaces and dashes do not matter. */
            voucherCode: string;
            name: string;
            /**
             * @description Discount type: a fixed amount or a percentage, off the bill or off items.
             * @enum {string}
             */
            unit: "BillDollarValue" | "BillDollarPercentage" | "ItemDollarValue" | "ItemDollarPercentage";
            /** @description Minor units for the Dollar units, percent for the Percentage units. `ItemDollarValue` takes this amount off each unit, never more than its price. */
            value: number;
            /** @description Item vouchers: the PLUs it applies to. Letter case matters. Empty for bill vouchers. */
            plus: string[];
            /** @description Minimum bill amount. */
            minSpend: number;
            /** @description Maximum discount. Null: no limit. */
            maxDiscount: number | null;
            /** @description Item vouchers: the maximum number of discounted units. The most expensive come first. 0.5 of a weighed item is half a unit. */
            maxUnits: number;
            /** @description True if it can be combined with other vouchers on one bill. */
            stackable: boolean;
            /**
             * Format: date-time
             * @description RFC 3339, UTC.
             */
            issuedAt: string;
            expiresAt: string | null;
        };
        EnrolledCustomer: {
            /**
             * Format: uuid
             * @description The service's id of the customer.
             */
            customerId: string;
            givenName: string;
            lastName: string;
            /** @description E.164. */
            phone: string | null;
            email: string | null;
            birthday: string | null;
            /**
             * Format: date-time
             * @description RFC 3339, UTC.
             */
            joinedAt: string;
            /** @description Whether the customer has a PIN. */
            hasPin: boolean;
            /** @description Vouchers issued for joining. */
            vouchersIssued: components["schemas"]["Voucher"][];
        };
        StoredValuePackage: {
            /** Format: uuid */
            packageId: string;
            name: string;
            /**
             * @description `fixed`: one price. `open`: any amount from `minAmount` to `maxAmount`.
             * @enum {string}
             */
            kind: "fixed" | "open";
            /** @description Fixed packages: the amount the customer pays. */
            amount: number | null;
            /** @description Open packages: the minimum amount. */
            minAmount: number | null;
            /** @description Open packages: the maximum amount. */
            maxAmount: number | null;
            /** @description Fixed packages: the bonus credited in addition. */
            bonusAmount: number | null;
            /** @description Open packages: the bonus as a percentage of the amount paid, rounded down. */
            bonusPercent: number | null;
            /** @description Fixed packages: the total credited. */
            creditedAmount: number | null;
            /** @description Days until the bonus expires. Null: never. */
            bonusExpiresInDays: number | null;
            validFrom: string | null;
            validUntil: string | null;
        };
        TopUp: {
            /** @description Chosen by the POS. Unique within its store and never reused. To retry safely, send the same id again. */
            transactionId: string;
            /** @constant */
            status: "completed";
            /** @description ISO 4217 code of the merchant's currency. */
            currency: string;
            /**
             * Format: date-time
             * @description When it happened at the till (RFC 3339, UTC).
             */
            occurredAt: string;
            /**
             * Format: date-time
             * @description When the service executed it (RFC 3339, UTC).
             */
            createdAt: string;
            /** Format: uuid */
            customerId: string;
            /** @description Plain text for the receipt, at most 40 columns wide. */
            printText: string;
            /** @constant */
            type: "topUp";
            /** Format: uuid */
            packageId: string;
            /** @description The amount the customer paid. */
            principal: number;
            /** @description The bonus of the package. */
            bonus: number;
            /** @description The sum of `principal` and `bonus`. */
            credited: number;
            /** @description The balance afterwards. */
            storedValue: components["schemas"]["StoredValueBalance"];
            bonusExpiresAt: string | null;
        };
        StoredValueBalance: {
            /** @description Value the customer can spend now, in minor units. The sum of `principal` and `bonus`. */
            balance: number;
            /** @description The part the customer paid for. */
            principal: number;
            /** @description The part given by promotions. */
            bonus: number;
        };
        CounterCodeTopUp: {
            /** @description The six-digit code on the customer's phone. It identifies a top-up that is paid at the counter. */
            counterCode: string;
            customer: {
                /**
                 * Format: uuid
                 * @description The service's id of the customer.
                 */
                customerId: string;
                givenName: string;
                lastName: string;
            };
            /** Format: uuid */
            packageId: string;
            packageName: string;
            /** @description Amount the customer has to pay. */
            amount: number;
            /** @description The bonus credited in addition. */
            bonus: number;
            /** @description The sum of `amount` and `bonus`. */
            credited: number;
            /** @description ISO 4217 code of the merchant's currency. */
            currency: string;
            /**
             * Format: date-time
             * @description When the code expires.
             */
            expiresAt: string;
        };
        StoredValueRedemption: {
            /** @description Chosen by the POS. Unique within its store and never reused. To retry safely, send the same id again. */
            transactionId: string;
            /** @constant */
            status: "completed";
            /** @description ISO 4217 code of the merchant's currency. */
            currency: string;
            /**
             * Format: date-time
             * @description When it happened at the till (RFC 3339, UTC).
             */
            occurredAt: string;
            /**
             * Format: date-time
             * @description When the service executed it (RFC 3339, UTC).
             */
            createdAt: string;
            /** Format: uuid */
            customerId: string;
            /** @description Plain text for the receipt, at most 40 columns wide. */
            printText: string;
            /** @constant */
            type: "redeemStoredValue";
            amountRedeemed: number;
            /** @description The part of `amount` that is still to be paid. What is due on an open bill is in `due` of `GET /bills/{billId}`. */
            remainingDue: number;
            principalUsed: number;
            bonusUsed: number;
            /** @description The balance afterwards. */
            storedValue: components["schemas"]["StoredValueBalance"];
        };
        VoucherRedemption: {
            /** @description Chosen by the POS. Unique within its store and never reused. To retry safely, send the same id again. */
            transactionId: string;
            /** @enum {string} */
            status: "completed" | "dryRun";
            /** @description ISO 4217 code of the merchant's currency. */
            currency: string;
            /**
             * Format: date-time
             * @description When it happened at the till (RFC 3339, UTC).
             */
            occurredAt: string;
            /**
             * Format: date-time
             * @description When the service executed it (RFC 3339, UTC).
             */
            createdAt: string;
            /** Format: uuid */
            customerId: string;
            /** @description Plain text for the receipt, at most 40 columns wide. */
            printText: string;
            /** @constant */
            type: "redeemVoucher";
            /** @description Easy to read out and type. Letter case, spaces and dashes do not matter. */
            voucherCode: string;
            /**
             * @description Discount type: a fixed amount or a percentage, off the bill or off items.
             * @enum {string}
             */
            unit: "BillDollarValue" | "BillDollarPercentage" | "ItemDollarValue" | "ItemDollarPercentage";
            discount: {
                /** @description The discount on the bill. */
                amount: number;
                /** @description The discount by line. The parts add up to `amount`. Empty if the request had no lines. */
                lines: {
                    index: number;
                    plu: string;
                    amount: number;
                }[];
            };
            billAmountAfter: number;
        };
        PointsRedemption: {
            /** @description Chosen by the POS. Unique within its store and never reused. To retry safely, send the same id again. */
            transactionId: string;
            /** @constant */
            status: "completed";
            /** @description ISO 4217 code of the merchant's currency. */
            currency: string;
            /**
             * Format: date-time
             * @description When it happened at the till (RFC 3339, UTC).
             */
            occurredAt: string;
            /**
             * Format: date-time
             * @description When the service executed it (RFC 3339, UTC).
             */
            createdAt: string;
            /** Format: uuid */
            customerId: string;
            /** @description Plain text for the receipt, at most 40 columns wide. */
            printText: string;
            /** @constant */
            type: "redeemPoints";
            pointsRedeemed: number;
            /** @description Amount the points take off the bill, in minor units. */
            amount: number;
            /** @description The balance after the redemption. */
            points: components["schemas"]["PointsBalance"];
        };
        PointsBalance: {
            balance: number;
            /** @description Value of the points when redeemed, in minor units. */
            worth: number;
        };
        Sale: {
            /** @description Chosen by the POS. Unique within its store and never reused. To retry safely, send the same id again. */
            transactionId: string;
            /** @constant */
            status: "completed";
            /** @description ISO 4217 code of the merchant's currency. */
            currency: string;
            /**
             * Format: date-time
             * @description When it happened at the till (RFC 3339, UTC).
             */
            occurredAt: string;
            /**
             * Format: date-time
             * @description When the service executed it (RFC 3339, UTC).
             */
            createdAt: string;
            customerId: string | null;
            /** @description Plain text for the receipt, at most 40 columns wide. */
            printText: string;
            /** @constant */
            type: "sale";
            pointsEarned: number;
            /** @description The balance after the sale. Null without a customer. */
            points: components["schemas"]["PointsBalance"] | null;
            /** @description Vouchers issued for joining, if the sale enrolled the customer. */
            vouchersIssued: components["schemas"]["Voucher"][];
        };
        TransactionOutcome: {
            /** @description Chosen by the POS. Unique within its store and never reused. To retry safely, send the same id again. */
            transactionId: string;
            /**
             * @description Absent for an id that was voided before it was used.
             * @enum {string}
             */
            type?: "topUp" | "redeemStoredValue" | "redeemVoucher" | "redeemPoints" | "sale";
            /** @enum {string} */
            status: "completed" | "refused" | "voided";
            /** @description The original response. For a completed transaction, the response of its operation. For a refused one, `{ "error": … }` without its `requestId`. Null if there was none. */
            answer: components["schemas"]["TopUp"] | components["schemas"]["StoredValueRedemption"] | components["schemas"]["VoucherRedemption"] | components["schemas"]["PointsRedemption"] | components["schemas"]["Sale"] | components["schemas"]["Refusal"] | null;
        };
        QrCode: {
            /** Format: uuid */
            qrCodeId: string;
            billId: string;
            /** @description The table name or number that diners see. */
            table: string | null;
            guests: number | null;
            /** @enum {string} */
            status: "active" | "invalidated" | "expired";
            /**
             * Format: date-time
             * @description RFC 3339, UTC.
             */
            expiresAt: string;
            /**
             * Format: date-time
             * @description RFC 3339, UTC.
             */
            createdAt: string;
            invalidatedAt: string | null;
            /** @description Oldest first. */
            orders: components["schemas"]["Order"][];
        };
        Order: {
            /** Format: uuid */
            orderId: string;
            /** @description Running number of the store's orders. The diner sees the same number. */
            number: number;
            /** Format: uuid */
            qrCodeId: string;
            billId: string;
            /** @description The table name or number that diners see. */
            table: string | null;
            /** @enum {string} */
            status: "placed" | "accepted" | "ready" | "served" | "cancelled";
            /** @description Total in minor units. The service prices the order when it is placed. */
            total: number;
            note: string;
            /** @description The name that the diner who ordered gave; null for none. */
            guestName: string | null;
            lines: {
                plu: string;
                name: string;
                quantity: number;
                unitPrice: number;
                amount: number;
                /** @description The chosen options, in menu order. Each `price` is already included in `unitPrice`. */
                options: {
                    name: string;
                    price: number;
                    plu: string | null;
                }[];
                note: string;
            }[];
            /**
             * Format: date-time
             * @description RFC 3339, UTC.
             */
            placedAt: string;
            /**
             * Format: date-time
             * @description RFC 3339, UTC.
             */
            updatedAt: string;
        };
        Bill: {
            billId: string;
            revision: number;
            /**
             * @description `open`: something is due. `paid`: nothing is due, and the POS can still change or close the bill. `closed`: the POS has settled it. `void`: the POS has cancelled it, with nothing paid on it.
             * @enum {string}
             */
            state: "open" | "paid" | "closed" | "void";
            table: string | null;
            /** @description ISO 4217 code of the merchant's currency. */
            currency: string;
            lines: {
                /** @description Price look-up code of the item. */
                plu: string;
                name: string;
                /** @description Number of units, or weight. Up to three decimals. */
                quantity: number;
                /** @description Price of one unit, in minor units. */
                unitPrice: number;
                /** @description Amount of the line, in minor units. */
                amount: number;
            }[];
            /** @description Must equal the sum of the amounts of `lines`, in minor units. */
            subtotal: number;
            /** @description Amount deducted from the subtotal. */
            discount: number;
            serviceCharge: number;
            tax: number;
            rounding: number;
            /** @description Must equal subtotal − discount + serviceCharge + tax + rounding. */
            total: number;
            discountTransactionIds: string[];
            /** @description Stored value, vouchers and points that were redeemed with this `billId`. */
            redemptions: {
                /** @description Chosen by the POS. Unique within its store and never reused. To retry safely, send the same id again. */
                transactionId: string;
                /** @enum {string} */
                type: "redeemStoredValue" | "redeemVoucher" | "redeemPoints";
                /** Format: uuid */
                customerId: string;
                /** @description What it took off the bill, in minor units. */
                amount: number;
                /** @description Whether `discount` already includes it. */
                isInDiscount: boolean;
                /**
                 * @description Voided ones are listed only while `discount` includes them: send the bill without them.
                 * @enum {string}
                 */
                status: "completed" | "voided";
                /**
                 * Format: date-time
                 * @description RFC 3339, UTC.
                 */
                occurredAt: string;
            }[];
            /** @description Payments by diners on their phones. */
            payments: {
                /** Format: uuid */
                paymentId: string;
                /** @enum {string} */
                method: "card";
                /**
                 * @description `held`: a diner is paying it now. `returned`: the diner gets all of it back.
                 * @enum {string}
                 */
                state: "held" | "paid" | "returned";
                /** @description Without the tip. */
                amount: number;
                tip: number;
                /** @description What the diner gets back of it. */
                returned: number;
                /**
                 * Format: date-time
                 * @description RFC 3339, UTC.
                 */
                createdAt: string;
            }[];
            /** @description Sum of the completed redemptions that `discount` does not include. */
            redeemed: number;
            /** @description Sum that diners paid on their phones, without tips and what was returned. */
            paid: number;
            /** @description Sum that diners are paying now. It is still due. */
            held: number;
            tips: number;
            /** @description `total` − `redeemed` − `paid`, plus voided redemptions that `discount` still includes. 0 once the bill is closed. */
            due: number;
            /** @description By how much `redeemed` and `paid` exceed the bill. When the bill is closed, payments are returned up to this amount. Void redemptions to return the rest. */
            overpaid: number;
            /**
             * Format: date-time
             * @description RFC 3339, UTC.
             */
            openedAt: string;
            /**
             * Format: date-time
             * @description RFC 3339, UTC.
             */
            updatedAt: string;
            closedAt: string | null;
        };
        Event: components["schemas"]["OrderPlacedEvent"] | components["schemas"]["OrderUpdatedEvent"] | components["schemas"]["TransactionCompletedEvent"] | components["schemas"]["TransactionVoidedEvent"] | components["schemas"]["CustomerEnrolledEvent"] | components["schemas"]["CustomerUpdatedEvent"] | components["schemas"]["CustomerMergedEvent"] | components["schemas"]["CustomerErasedEvent"] | components["schemas"]["BalanceChangedEvent"] | components["schemas"]["StockOutChangedEvent"] | components["schemas"]["QrCodeOpenedEvent"] | components["schemas"]["QrCodeSettledEvent"] | components["schemas"]["CounterCodeToppedUpEvent"] | components["schemas"]["BillUpdatedEvent"] | components["schemas"]["BillPaidEvent"] | components["schemas"]["BillClosedEvent"] | components["schemas"]["BillVoidedEvent"] | components["schemas"]["TableCalledEvent"] | components["schemas"]["TableCallAnsweredEvent"] | components["schemas"]["RecordingChangedEvent"];
        /** @description A diner placed an order. */
        OrderPlacedEvent: {
            /**
             * Format: uuid
             * @description Stable: whoever gets an event again can tell by it. It is also the `webhook-id` of a webhook.
             */
            id: string;
            /** @constant */
            type: "order.placed";
            /**
             * Format: date-time
             * @description When it happened, by the merchant's clock (RFC 3339, UTC).
             */
            occurredAt: string;
            /** @description Null for what is of no store, such as a customer. */
            storeCode: string | null;
            data: components["schemas"]["Order"];
        };
        /** @description A POS or staff updated the status of an order. */
        OrderUpdatedEvent: {
            /**
             * Format: uuid
             * @description Stable: whoever gets an event again can tell by it. It is also the `webhook-id` of a webhook.
             */
            id: string;
            /** @constant */
            type: "order.updated";
            /**
             * Format: date-time
             * @description When it happened, by the merchant's clock (RFC 3339, UTC).
             */
            occurredAt: string;
            /** @description Null for what is of no store, such as a customer. */
            storeCode: string | null;
            data: components["schemas"]["Order"];
        };
        /** @description A top-up, redemption or sale was completed: by a POS, by staff, or a top-up paid online, which has no store. */
        TransactionCompletedEvent: {
            /**
             * Format: uuid
             * @description Stable: whoever gets an event again can tell by it. It is also the `webhook-id` of a webhook.
             */
            id: string;
            /** @constant */
            type: "transaction.completed";
            /**
             * Format: date-time
             * @description When it happened, by the merchant's clock (RFC 3339, UTC).
             */
            occurredAt: string;
            /** @description Null for what is of no store, such as a customer. */
            storeCode: string | null;
            data: components["schemas"]["TransactionOutcome"];
        };
        /** @description A completed transaction was voided, by a POS or by staff. Its `answer` is still the one of then: `balance.changed` follows with the balance after the void, unless it is the same. */
        TransactionVoidedEvent: {
            /**
             * Format: uuid
             * @description Stable: whoever gets an event again can tell by it. It is also the `webhook-id` of a webhook.
             */
            id: string;
            /** @constant */
            type: "transaction.voided";
            /**
             * Format: date-time
             * @description When it happened, by the merchant's clock (RFC 3339, UTC).
             */
            occurredAt: string;
            /** @description Null for what is of no store, such as a customer. */
            storeCode: string | null;
            data: components["schemas"]["TransactionOutcome"];
        };
        /** @description A customer was enrolled: by a POS, by staff, by an import, or by signing up. */
        CustomerEnrolledEvent: {
            /**
             * Format: uuid
             * @description Stable: whoever gets an event again can tell by it. It is also the `webhook-id` of a webhook.
             */
            id: string;
            /** @constant */
            type: "customer.enrolled";
            /**
             * Format: date-time
             * @description When it happened, by the merchant's clock (RFC 3339, UTC).
             */
            occurredAt: string;
            /** @description Null for what is of no store, such as a customer. */
            storeCode: string | null;
            /** @description Null once the customer was erased. */
            data: components["schemas"]["Customer"] | null;
        };
        /** @description Name, phone, e-mail address or birthday of a customer were changed. */
        CustomerUpdatedEvent: {
            /**
             * Format: uuid
             * @description Stable: whoever gets an event again can tell by it. It is also the `webhook-id` of a webhook.
             */
            id: string;
            /** @constant */
            type: "customer.updated";
            /**
             * Format: date-time
             * @description When it happened, by the merchant's clock (RFC 3339, UTC).
             */
            occurredAt: string;
            /** @description Null for what is of no store, such as a customer. */
            storeCode: string | null;
            /** @description Null once the customer was erased. */
            data: components["schemas"]["Customer"] | null;
        };
        /** @description Staff merged a duplicate into another customer. */
        CustomerMergedEvent: {
            /**
             * Format: uuid
             * @description Stable: whoever gets an event again can tell by it. It is also the `webhook-id` of a webhook.
             */
            id: string;
            /** @constant */
            type: "customer.merged";
            /**
             * Format: date-time
             * @description When it happened, by the merchant's clock (RFC 3339, UTC).
             */
            occurredAt: string;
            /** @description Null for what is of no store, such as a customer. */
            storeCode: string | null;
            data: components["schemas"]["MergedCustomer"];
        };
        MergedCustomer: {
            /**
             * Format: uuid
             * @description The duplicate. Look-ups by its id, phone and e-mail now find the kept customer.
             */
            customerId: string;
            /**
             * Format: uuid
             * @description The customer that was kept.
             */
            mergedInto: string;
        };
        /** @description The personal data of a customer were erased, also in earlier events: their `data` is null now. */
        CustomerErasedEvent: {
            /**
             * Format: uuid
             * @description Stable: whoever gets an event again can tell by it. It is also the `webhook-id` of a webhook.
             */
            id: string;
            /** @constant */
            type: "customer.erased";
            /**
             * Format: date-time
             * @description When it happened, by the merchant's clock (RFC 3339, UTC).
             */
            occurredAt: string;
            /** @description Null for what is of no store, such as a customer. */
            storeCode: string | null;
            data: components["schemas"]["ErasedCustomer"];
        };
        ErasedCustomer: {
            /**
             * Format: uuid
             * @description Delete what you hold about this customer.
             */
            customerId: string;
            /**
             * Format: date-time
             * @description RFC 3339, UTC.
             */
            erasedAt: string;
        };
        /** @description A balance was changed by something other than a completed transaction, such as a void. */
        BalanceChangedEvent: {
            /**
             * Format: uuid
             * @description Stable: whoever gets an event again can tell by it. It is also the `webhook-id` of a webhook.
             */
            id: string;
            /** @constant */
            type: "balance.changed";
            /**
             * Format: date-time
             * @description When it happened, by the merchant's clock (RFC 3339, UTC).
             */
            occurredAt: string;
            /** @description Null for what is of no store, such as a customer. */
            storeCode: string | null;
            data: components["schemas"]["BalanceChange"];
        };
        BalanceChange: {
            /**
             * Format: uuid
             * @description The service's id of the customer.
             */
            customerId: string;
            /** @description ISO 4217 code of the merchant's currency. */
            currency: string;
            /** @description The balance after the change. */
            storedValue: components["schemas"]["StoredValueBalance"];
            /** @description The points after the change. */
            points: components["schemas"]["PointsBalance"];
            /**
             * @description What changed it: an `adjustment` by staff, a `refund` of a part of a redemption, a `void` of transactions, the `expiry` of value, the `merge` of a duplicate customer, or an `import` of customers.
             * @enum {string}
             */
            cause: "adjustment" | "refund" | "void" | "expiry" | "merge" | "import";
        };
        /** @description Items were sold out, got another time, or are available again. */
        StockOutChangedEvent: {
            /**
             * Format: uuid
             * @description Stable: whoever gets an event again can tell by it. It is also the `webhook-id` of a webhook.
             */
            id: string;
            /** @constant */
            type: "stock_out.changed";
            /**
             * Format: date-time
             * @description When it happened, by the merchant's clock (RFC 3339, UTC).
             */
            occurredAt: string;
            /** @description Null for what is of no store, such as a customer. */
            storeCode: string | null;
            data: components["schemas"]["StockOutChange"];
        };
        StockOutChange: {
            storeCode: string;
            items: {
                plu: string;
                /** @description Name on the menu. Null if the PLU is not on the menu. */
                name: string | null;
                /** @description True if the PLU is on the menu. */
                known: boolean;
                /** @enum {string} */
                status: "stocked_out" | "restored";
                /** @description When it is available again by itself. Null: when it is restored. */
                until: string | null;
            }[];
        };
        /** @description A QR code was created. */
        QrCodeOpenedEvent: {
            /**
             * Format: uuid
             * @description Stable: whoever gets an event again can tell by it. It is also the `webhook-id` of a webhook.
             */
            id: string;
            /** @constant */
            type: "qr_code.opened";
            /**
             * Format: date-time
             * @description When it happened, by the merchant's clock (RFC 3339, UTC).
             */
            occurredAt: string;
            /** @description Null for what is of no store, such as a customer. */
            storeCode: string | null;
            data: components["schemas"]["QrCodeState"];
        };
        QrCodeState: {
            /** Format: uuid */
            qrCodeId: string;
            billId: string;
            /** @description The table name or number that diners see. */
            table: string | null;
            guests: number | null;
            /** @enum {string} */
            status: "active" | "invalidated" | "expired";
            /**
             * Format: date-time
             * @description RFC 3339, UTC.
             */
            expiresAt: string;
            /**
             * Format: date-time
             * @description RFC 3339, UTC.
             */
            createdAt: string;
            invalidatedAt: string | null;
        };
        /** @description A QR code was invalidated, because its bill was settled. */
        QrCodeSettledEvent: {
            /**
             * Format: uuid
             * @description Stable: whoever gets an event again can tell by it. It is also the `webhook-id` of a webhook.
             */
            id: string;
            /** @constant */
            type: "qr_code.settled";
            /**
             * Format: date-time
             * @description When it happened, by the merchant's clock (RFC 3339, UTC).
             */
            occurredAt: string;
            /** @description Null for what is of no store, such as a customer. */
            storeCode: string | null;
            data: components["schemas"]["QrCodeState"];
        };
        /** @description A top-up that a customer began on the phone was paid at the counter. */
        CounterCodeToppedUpEvent: {
            /**
             * Format: uuid
             * @description Stable: whoever gets an event again can tell by it. It is also the `webhook-id` of a webhook.
             */
            id: string;
            /** @constant */
            type: "counter_code.topped_up";
            /**
             * Format: date-time
             * @description When it happened, by the merchant's clock (RFC 3339, UTC).
             */
            occurredAt: string;
            /** @description Null for what is of no store, such as a customer. */
            storeCode: string | null;
            data: components["schemas"]["CreditedCounterCode"];
        };
        CreditedCounterCode: {
            /** @description The six-digit code on the customer's phone. It identifies a top-up that is paid at the counter. */
            counterCode: string;
            /**
             * Format: uuid
             * @description The service's id of the customer.
             */
            customerId: string;
            /** Format: uuid */
            packageId: string;
            /** @description Amount the customer paid. */
            amount: number;
            /** @description The bonus credited in addition. */
            bonus: number;
            /** @description The sum of `amount` and `bonus`. */
            credited: number;
            /** @description ISO 4217 code of the merchant's currency. */
            currency: string;
            /** @description Chosen by the POS. Unique within its store and never reused. To retry safely, send the same id again. */
            transactionId: string;
        };
        /** @description A POS sent a bill or changed it, or something was redeemed, paid or given back on it. */
        BillUpdatedEvent: {
            /**
             * Format: uuid
             * @description Stable: whoever gets an event again can tell by it. It is also the `webhook-id` of a webhook.
             */
            id: string;
            /** @constant */
            type: "bill.updated";
            /**
             * Format: date-time
             * @description When it happened, by the merchant's clock (RFC 3339, UTC).
             */
            occurredAt: string;
            /** @description Null for what is of no store, such as a customer. */
            storeCode: string | null;
            data: components["schemas"]["Bill"];
        };
        /** @description Nothing is due on a bill any more. The POS can close it. */
        BillPaidEvent: {
            /**
             * Format: uuid
             * @description Stable: whoever gets an event again can tell by it. It is also the `webhook-id` of a webhook.
             */
            id: string;
            /** @constant */
            type: "bill.paid";
            /**
             * Format: date-time
             * @description When it happened, by the merchant's clock (RFC 3339, UTC).
             */
            occurredAt: string;
            /** @description Null for what is of no store, such as a customer. */
            storeCode: string | null;
            data: components["schemas"]["Bill"];
        };
        /** @description A POS closed a bill, by itself or with its sale. */
        BillClosedEvent: {
            /**
             * Format: uuid
             * @description Stable: whoever gets an event again can tell by it. It is also the `webhook-id` of a webhook.
             */
            id: string;
            /** @constant */
            type: "bill.closed";
            /**
             * Format: date-time
             * @description When it happened, by the merchant's clock (RFC 3339, UTC).
             */
            occurredAt: string;
            /** @description Null for what is of no store, such as a customer. */
            storeCode: string | null;
            data: components["schemas"]["Bill"];
        };
        /** @description A POS voided a bill. */
        BillVoidedEvent: {
            /**
             * Format: uuid
             * @description Stable: whoever gets an event again can tell by it. It is also the `webhook-id` of a webhook.
             */
            id: string;
            /** @constant */
            type: "bill.voided";
            /**
             * Format: date-time
             * @description When it happened, by the merchant's clock (RFC 3339, UTC).
             */
            occurredAt: string;
            /** @description Null for what is of no store, such as a customer. */
            storeCode: string | null;
            data: components["schemas"]["Bill"];
        };
        /** @description The guests of a table call staff, or ask for the bill. */
        TableCalledEvent: {
            /**
             * Format: uuid
             * @description Stable: whoever gets an event again can tell by it. It is also the `webhook-id` of a webhook.
             */
            id: string;
            /** @constant */
            type: "table.called";
            /**
             * Format: date-time
             * @description When it happened, by the merchant's clock (RFC 3339, UTC).
             */
            occurredAt: string;
            /** @description Null for what is of no store, such as a customer. */
            storeCode: string | null;
            data: components["schemas"]["TableCall"];
        };
        TableCall: {
            /** Format: uuid */
            callId: string;
            /**
             * @description `staff`: someone is wanted at the table. `bill`: the guests ask for the bill.
             * @enum {string}
             */
            kind: "staff" | "bill";
            /**
             * @description `answered` by staff, or `withdrawn`: by the guests, or because their bill was settled.
             * @enum {string}
             */
            status: "waiting" | "answered" | "withdrawn";
            /** @description The table name or number that diners see. */
            table: string | null;
            /** @description The code of the open bill; null where the table has none. */
            qrCodeId: string | null;
            billId: string | null;
            /**
             * Format: date-time
             * @description RFC 3339, UTC.
             */
            calledAt: string;
            endedAt: string | null;
        };
        /** @description A call waits no longer: staff answered it, the guests withdrew it, or their bill was settled. `status` says which. */
        TableCallAnsweredEvent: {
            /**
             * Format: uuid
             * @description Stable: whoever gets an event again can tell by it. It is also the `webhook-id` of a webhook.
             */
            id: string;
            /** @constant */
            type: "table.call_answered";
            /**
             * Format: date-time
             * @description When it happened, by the merchant's clock (RFC 3339, UTC).
             */
            occurredAt: string;
            /** @description Null for what is of no store, such as a customer. */
            storeCode: string | null;
            data: components["schemas"]["TableCall"];
        };
        /** @description An owner changed which types of events are recorded, or the service disabled a webhook endpoint. It is recorded in any case: of what was not recorded before, you missed the changes, so read the current state. */
        RecordingChangedEvent: {
            /**
             * Format: uuid
             * @description Stable: whoever gets an event again can tell by it. It is also the `webhook-id` of a webhook.
             */
            id: string;
            /** @constant */
            type: "recording.changed";
            /**
             * Format: date-time
             * @description When it happened, by the merchant's clock (RFC 3339, UTC).
             */
            occurredAt: string;
            /** @description Null for what is of no store, such as a customer. */
            storeCode: string | null;
            data: components["schemas"]["Recording"];
        };
        Recording: {
            /** @description The types that are recorded from here on; null for all. Of others, there are no events until the next change. */
            types: string[] | null;
        };
        EnrolCustomerRequest: {
            /** @description The POS's own code for the store. A key bound to a store implies it. A merchant-wide key must name it, except for balances, enrolment and forget-pin. */
            storeCode?: string;
            /** @description The POS's bill, check or order number. */
            billId?: string;
            /** @description The POS's id of the staff member. */
            staffId?: string;
            receiptNumber?: string;
            /**
             * Format: date-time
             * @description When it happened at the till (RFC 3339 with offset). At most 31 days ago, or fewer if the merchant has set so, and at most 5 minutes ahead. Kept in the audit log only. The request takes effect when it arrives.
             */
            occurredAt?: string;
            givenName: string;
            lastName: string;
            /** @description E.164 (`+6591234567`) or a national number of the merchant's country. Spaces and dashes are ignored. Required if `email` is absent. */
            phone?: string;
            /**
             * Format: email
             * @description Letter case does not matter. Required if `phone` is absent.
             */
            email?: string;
            /**
             * Format: date
             * @description `YYYY-MM-DD`. Not before 1900 and not in the future.
             */
            birthday?: string;
        };
        ForgetPinRequest: {
            /** @description The POS's own code for the store. A key bound to a store implies it. A merchant-wide key must name it, except for balances, enrolment and forget-pin. */
            storeCode?: string;
            /** @description The POS's bill, check or order number. */
            billId?: string;
            /** @description The POS's id of the staff member. */
            staffId?: string;
            receiptNumber?: string;
            /**
             * Format: date-time
             * @description When it happened at the till (RFC 3339 with offset). At most 31 days ago, or fewer if the merchant has set so, and at most 5 minutes ahead. Kept in the audit log only. The request takes effect when it arrives.
             */
            occurredAt?: string;
            customer: components["schemas"]["CustomerRef"];
        };
        TopUpStoredValueRequest: {
            /** @description Chosen by the POS. Unique within its store and never reused. To retry safely, send the same id again. */
            transactionId: string;
            /** @description The POS's own code for the store. A key bound to a store implies it. A merchant-wide key must name it, except for balances, enrolment and forget-pin. */
            storeCode?: string;
            /** @description The POS's bill, check or order number. */
            billId?: string;
            /** @description The POS's id of the staff member. */
            staffId?: string;
            receiptNumber?: string;
            /**
             * Format: date-time
             * @description When it happened at the till (RFC 3339 with offset). At most 31 days ago, or fewer if the merchant has set so, and at most 5 minutes ahead. Offers, voucher validity and the expiry of earned value use this time. Available balances use the time of arrival. Default: the time of arrival.
             */
            occurredAt?: string;
            customer: components["schemas"]["CustomerRef"];
            /**
             * Format: uuid
             * @description One of the store's stored-value packages.
             */
            packageId: string;
            /** @description Amount the customer pays, in minor units. Required for open packages, unless `counterCode` is sent. */
            amount?: number;
            /** @description The six-digit code on the customer's phone. It credits the top-up that the customer began there, on the terms offered then. */
            counterCode?: string;
        };
        RedeemStoredValueRequest: {
            /** @description Chosen by the POS. Unique within its store and never reused. To retry safely, send the same id again. */
            transactionId: string;
            /** @description The POS's own code for the store. A key bound to a store implies it. A merchant-wide key must name it, except for balances, enrolment and forget-pin. */
            storeCode?: string;
            /** @description The POS's bill, check or order number. */
            billId?: string;
            /** @description The POS's id of the staff member. */
            staffId?: string;
            receiptNumber?: string;
            /**
             * Format: date-time
             * @description When it happened at the till (RFC 3339 with offset). At most 31 days ago, or fewer if the merchant has set so, and at most 5 minutes ahead. Offers, voucher validity and the expiry of earned value use this time. Available balances use the time of arrival. Default: the time of arrival.
             */
            occurredAt?: string;
            customer: components["schemas"]["CustomerRef"];
            /** @description Amount to redeem, in minor units. */
            amount: number;
            /** @description The customer's PIN. Required when the merchant has turned on "PIN required for redemption". Ignored otherwise. */
            pin?: string;
            /** @description Redeem the whole balance if it is lower than `amount`. */
            allowPartial?: boolean;
        };
        RedeemVoucherRequest: {
            /** @description Chosen by the POS. Unique within its store and never reused. To retry safely, send the same id again. */
            transactionId: string;
            /** @description The POS's own code for the store. A key bound to a store implies it. A merchant-wide key must name it, except for balances, enrolment and forget-pin. */
            storeCode?: string;
            /** @description The POS's bill, check or order number. */
            billId?: string;
            /** @description The POS's id of the staff member. */
            staffId?: string;
            receiptNumber?: string;
            /**
             * Format: date-time
             * @description When it happened at the till (RFC 3339 with offset). At most 31 days ago, or fewer if the merchant has set so, and at most 5 minutes ahead. Offers, voucher validity and the expiry of earned value use this time. Available balances use the time of arrival. Default: the time of arrival.
             */
            occurredAt?: string;
            customer: components["schemas"]["CustomerRef"];
            /** @description The code as printed. Letter case, spaces and dashes do not matter. */
            voucherCode: string;
            bill: {
                /** @description Bill amount before the voucher, in minor units. */
                amount: number;
                /** @description Required for item vouchers. */
                lines?: {
                    /** @description Price look-up code of the item. */
                    plu: string;
                    /** @description Number of units, or weight. Up to three decimals. */
                    quantity: number;
                    /** @description Price of one unit, in minor units. */
                    unitPrice: number;
                }[];
            };
            /** @description The customer's PIN. Required when the merchant has turned on "PIN required for redemption". Ignored otherwise. */
            pin?: string;
            /** @description Calculate the discount without redeeming. The voucher and the `transactionId` stay unused. */
            dryRun?: boolean;
        };
        RedeemPointsRequest: {
            /** @description Chosen by the POS. Unique within its store and never reused. To retry safely, send the same id again. */
            transactionId: string;
            /** @description The POS's own code for the store. A key bound to a store implies it. A merchant-wide key must name it, except for balances, enrolment and forget-pin. */
            storeCode?: string;
            /** @description The POS's bill, check or order number. */
            billId?: string;
            /** @description The POS's id of the staff member. */
            staffId?: string;
            receiptNumber?: string;
            /**
             * Format: date-time
             * @description When it happened at the till (RFC 3339 with offset). At most 31 days ago, or fewer if the merchant has set so, and at most 5 minutes ahead. Offers, voucher validity and the expiry of earned value use this time. Available balances use the time of arrival. Default: the time of arrival.
             */
            occurredAt?: string;
            customer: components["schemas"]["CustomerRef"];
            /** @description Number of points to redeem. */
            points: number;
            /** @description The customer's PIN. Required when the merchant has turned on "PIN required for redemption". Ignored otherwise. */
            pin?: string;
        };
        SubmitSaleRequest: {
            /** @description Chosen by the POS. Unique within its store and never reused. To retry safely, send the same id again. */
            transactionId: string;
            /** @description The POS's own code for the store. A key bound to a store implies it. A merchant-wide key must name it, except for balances, enrolment and forget-pin. */
            storeCode?: string;
            /** @description The POS's bill, check or order number. */
            billId?: string;
            /** @description The POS's id of the staff member. */
            staffId?: string;
            receiptNumber?: string;
            /**
             * Format: date-time
             * @description When it happened at the till (RFC 3339 with offset). At most 31 days ago, or fewer if the merchant has set so, and at most 5 minutes ahead. Offers, voucher validity and the expiry of earned value use this time. Available balances use the time of arrival. Default: the time of arrival.
             */
            occurredAt?: string;
            /** @description The customer. A sale without a customer is kept but earns no points. */
            customer?: components["schemas"]["CustomerRef"];
            lines: {
                /** @description Price look-up code of the item. */
                plu: string;
                name: string;
                /** @description Number of units, or weight. Up to three decimals. */
                quantity: number;
                /** @description Price of one unit, in minor units. */
                unitPrice: number;
                /** @description Amount of the line, in minor units. */
                amount: number;
            }[];
            /** @description Must equal the sum of the amounts of `lines`, in minor units. */
            subtotal: number;
            /** @description Amount deducted from the subtotal. */
            discount: number;
            serviceCharge: number;
            tax: number;
            /** @description Cash rounding, up or down. */
            rounding?: number;
            /** @description Must equal subtotal − discount + serviceCharge + tax + rounding. */
            total: number;
            /** @description The amounts must add up to `total`. */
            payments: {
                /** @description The POS's name of the payment method, such as `cash`, `visa` or `stored-value`. */
                method: string;
                amount: number;
            }[];
            /**
             * Format: date-time
             * @description When the bill was settled (RFC 3339 with offset). For the record only. Points are earned as of `occurredAt`.
             */
            closedAt: string;
        };
        VoidTransactionsRequest: {
            /** @description 1 to 100 different ids of one store, in any order. All are voided or none. */
            transactionIds: string[];
            /** @description The POS's own code for the store. A key bound to a store implies it. A merchant-wide key must name it, except for balances, enrolment and forget-pin. */
            storeCode?: string;
            /** @description The POS's bill, check or order number. */
            billId?: string;
            /** @description The POS's id of the staff member. */
            staffId?: string;
            receiptNumber?: string;
            /**
             * Format: date-time
             * @description When it happened at the till (RFC 3339 with offset). At most 31 days ago, or fewer if the merchant has set so, and at most 5 minutes ahead. Kept in the audit log only. The request takes effect when it arrives.
             */
            occurredAt?: string;
            /** @description Reason, kept in the audit log. */
            reason?: string;
        };
        GenerateQrCodeRequest: {
            /** @description The POS's own code for the store. A key bound to a store implies it. A merchant-wide key must name it, except for balances, enrolment and forget-pin. */
            storeCode?: string;
            /** @description The POS's bill, check or order number. */
            billId: string;
            /** @description The POS's id of the staff member. */
            staffId?: string;
            receiptNumber?: string;
            /**
             * Format: date-time
             * @description When it happened at the till (RFC 3339 with offset). At most 31 days ago, or fewer if the merchant has set so, and at most 5 minutes ahead. Kept in the audit log only. The request takes effect when it arrives.
             */
            occurredAt?: string;
            table?: string;
            guests?: number;
            /** @description Minutes until the code expires. Default: 240. */
            expiresInMinutes?: number;
        };
        InvalidateQrCodeRequest: {
            /** @description The POS's own code for the store. A key bound to a store implies it. A merchant-wide key must name it, except for balances, enrolment and forget-pin. */
            storeCode?: string;
            /** @description The bill that the code belongs to. Send either this or `qrCodeId`, not both. */
            billId?: string;
            /** @description The POS's id of the staff member. */
            staffId?: string;
            receiptNumber?: string;
            /**
             * Format: date-time
             * @description When it happened at the till (RFC 3339 with offset). At most 31 days ago, or fewer if the merchant has set so, and at most 5 minutes ahead. Kept in the audit log only. The request takes effect when it arrives.
             */
            occurredAt?: string;
            /**
             * Format: uuid
             * @description Send either this or `billId`, not both.
             */
            qrCodeId?: string;
        };
        SetOrderStatusRequest: {
            /** @description The POS's own code for the store. A key bound to a store implies it. A merchant-wide key must name it, except for balances, enrolment and forget-pin. */
            storeCode?: string;
            /** @description The POS's bill, check or order number. */
            billId?: string;
            /** @description The POS's id of the staff member. */
            staffId?: string;
            receiptNumber?: string;
            /**
             * Format: date-time
             * @description When it happened at the till (RFC 3339 with offset). At most 31 days ago, or fewer if the merchant has set so, and at most 5 minutes ahead. Kept in the audit log only. The request takes effect when it arrives.
             */
            occurredAt?: string;
            /** @enum {string} */
            status: "accepted" | "ready" | "served" | "cancelled";
        };
        PutBillRequest: {
            /** @description The POS's own code for the store. A key bound to a store implies it. A merchant-wide key must name it, except for balances, enrolment and forget-pin. */
            storeCode?: string;
            /** @description The POS's id of the staff member. */
            staffId?: string;
            receiptNumber?: string;
            /**
             * Format: date-time
             * @description When it happened at the till (RFC 3339 with offset). At most 31 days ago, or fewer if the merchant has set so, and at most 5 minutes ahead. Kept in the audit log only. The request takes effect when it arrives.
             */
            occurredAt?: string;
            /** @description Raise it with each change of the bill, also by more than one. An older one is refused, so requests that arrive late or out of order change nothing. */
            revision: number;
            /** @description The table name or number, as in `POST /qr-codes`. */
            table?: string;
            /** @description Must be the business's currency. */
            currency: string;
            lines: {
                /** @description Price look-up code of the item. */
                plu: string;
                name: string;
                /** @description Number of units, or weight. Up to three decimals. */
                quantity: number;
                /** @description Price of one unit, in minor units. */
                unitPrice: number;
                /** @description Amount of the line, in minor units. */
                amount: number;
            }[];
            /** @description Must equal the sum of the amounts of `lines`, in minor units. */
            subtotal: number;
            /** @description Amount deducted from the subtotal. */
            discount: number;
            serviceCharge: number;
            tax: number;
            /** @description Cash rounding, up or down. */
            rounding?: number;
            /** @description Must equal subtotal − discount + serviceCharge + tax + rounding. */
            total: number;
            /** @description The `transactionId`s of vouchers and points whose amounts `discount` already includes. All others are subtracted from what is due. */
            discountTransactionIds?: string[];
        };
        CloseBillRequest: {
            /** @description The POS's own code for the store. A key bound to a store implies it. A merchant-wide key must name it, except for balances, enrolment and forget-pin. */
            storeCode?: string;
            /** @description The POS's id of the staff member. */
            staffId?: string;
            receiptNumber?: string;
            /**
             * Format: date-time
             * @description When it happened at the till (RFC 3339 with offset). At most 31 days ago, or fewer if the merchant has set so, and at most 5 minutes ahead. Kept in the audit log only. The request takes effect when it arrives.
             */
            occurredAt?: string;
        };
        VoidBillRequest: {
            /** @description The POS's own code for the store. A key bound to a store implies it. A merchant-wide key must name it, except for balances, enrolment and forget-pin. */
            storeCode?: string;
            /** @description The POS's id of the staff member. */
            staffId?: string;
            receiptNumber?: string;
            /**
             * Format: date-time
             * @description When it happened at the till (RFC 3339 with offset). At most 31 days ago, or fewer if the merchant has set so, and at most 5 minutes ahead. Kept in the audit log only. The request takes effect when it arrives.
             */
            occurredAt?: string;
            /** @description Reason, kept in the audit log. */
            reason?: string;
        };
        RefundBillPaymentRequest: {
            /** @description The POS's own code for the store. A key bound to a store implies it. A merchant-wide key must name it, except for balances, enrolment and forget-pin. */
            storeCode?: string;
            /** @description The POS's id of the staff member. */
            staffId?: string;
            receiptNumber?: string;
            /**
             * Format: date-time
             * @description When it happened at the till (RFC 3339 with offset). At most 31 days ago, or fewer if the merchant has set so, and at most 5 minutes ahead. Kept in the audit log only. The request takes effect when it arrives.
             */
            occurredAt?: string;
            /** @description What the payer is to have back of it in all, in minor units, with earlier refunds: so a repeat changes nothing. The tip goes back last. Default: all of it. */
            returned?: number;
            /** @description Reason, kept in the audit log. */
            reason?: string;
        };
        StockOutRequest: {
            /** @description The POS's own code for the store. A key bound to a store implies it. A merchant-wide key must name it, except for balances, enrolment and forget-pin. */
            storeCode?: string;
            /** @description The POS's bill, check or order number. */
            billId?: string;
            /** @description The POS's id of the staff member. */
            staffId?: string;
            receiptNumber?: string;
            /**
             * Format: date-time
             * @description When it happened at the till (RFC 3339 with offset). At most 31 days ago, or fewer if the merchant has set so, and at most 5 minutes ahead. Kept in the audit log only. The request takes effect when it arrives.
             */
            occurredAt?: string;
            /** @description 1 to 500 PLUs. A repeated PLU counts once. PLUs that are not on the menu are accepted. */
            plus: string[];
            /** @description When the items become available again (RFC 3339 with offset). Null means when they are restored. If it is absent, items that are already sold out keep their time and the others stay out until they are restored. */
            until?: string | null;
        };
        RestoreStockRequest: {
            /** @description The POS's own code for the store. A key bound to a store implies it. A merchant-wide key must name it, except for balances, enrolment and forget-pin. */
            storeCode?: string;
            /** @description The POS's bill, check or order number. */
            billId?: string;
            /** @description The POS's id of the staff member. */
            staffId?: string;
            receiptNumber?: string;
            /**
             * Format: date-time
             * @description When it happened at the till (RFC 3339 with offset). At most 31 days ago, or fewer if the merchant has set so, and at most 5 minutes ahead. Kept in the audit log only. The request takes effect when it arrives.
             */
            occurredAt?: string;
            /** @description 1 to 500 PLUs. A repeated PLU counts once. PLUs that are not on the menu are accepted. */
            plus: string[];
        };
        AdvanceSandboxClockRequest: {
            /**
             * Format: date-time
             * @description The time to advance to, ahead of the clock (RFC 3339 with offset). Send either this or `seconds`.
             */
            to?: string;
            /** @description How far to advance the clock: 86,400 for a day. Send either this or `to`. */
            seconds?: number;
        };
        SetSandboxFaultsRequest: {
            /** @description What happens to the next responses, one each, in order. `lost`: the request is executed and the connection is cut. `late`: the request is executed and the response comes after 7 seconds. `service_unavailable`: the request is executed and the response is 503. `rate_limited`: the request is not executed and the response is 429. `none`: nothing. An empty list ends all faults. */
            next: ("none" | "lost" | "late" | "rate_limited" | "service_unavailable")[];
        };
        ResetSandboxRequest: Record<string, never>;
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type ApiError = components['schemas']['ApiError'];
export type ApiErrorBody = components['schemas']['ApiErrorBody'];
export type Refusal = components['schemas']['Refusal'];
export type RefusalBody = components['schemas']['RefusalBody'];
export type ErrorDetails = components['schemas']['ErrorDetails'];
export type Issue = components['schemas']['Issue'];
export type CustomerRef = components['schemas']['CustomerRef'];
export type Balances = components['schemas']['Balances'];
export type Customer = components['schemas']['Customer'];
export type Voucher = components['schemas']['Voucher'];
export type EnrolledCustomer = components['schemas']['EnrolledCustomer'];
export type StoredValuePackage = components['schemas']['StoredValuePackage'];
export type TopUp = components['schemas']['TopUp'];
export type StoredValueBalance = components['schemas']['StoredValueBalance'];
export type CounterCodeTopUp = components['schemas']['CounterCodeTopUp'];
export type StoredValueRedemption = components['schemas']['StoredValueRedemption'];
export type VoucherRedemption = components['schemas']['VoucherRedemption'];
export type PointsRedemption = components['schemas']['PointsRedemption'];
export type PointsBalance = components['schemas']['PointsBalance'];
export type Sale = components['schemas']['Sale'];
export type TransactionOutcome = components['schemas']['TransactionOutcome'];
export type QrCode = components['schemas']['QrCode'];
export type Order = components['schemas']['Order'];
export type Bill = components['schemas']['Bill'];
export type Event = components['schemas']['Event'];
export type OrderPlacedEvent = components['schemas']['OrderPlacedEvent'];
export type OrderUpdatedEvent = components['schemas']['OrderUpdatedEvent'];
export type TransactionCompletedEvent = components['schemas']['TransactionCompletedEvent'];
export type TransactionVoidedEvent = components['schemas']['TransactionVoidedEvent'];
export type CustomerEnrolledEvent = components['schemas']['CustomerEnrolledEvent'];
export type CustomerUpdatedEvent = components['schemas']['CustomerUpdatedEvent'];
export type CustomerMergedEvent = components['schemas']['CustomerMergedEvent'];
export type MergedCustomer = components['schemas']['MergedCustomer'];
export type CustomerErasedEvent = components['schemas']['CustomerErasedEvent'];
export type ErasedCustomer = components['schemas']['ErasedCustomer'];
export type BalanceChangedEvent = components['schemas']['BalanceChangedEvent'];
export type BalanceChange = components['schemas']['BalanceChange'];
export type StockOutChangedEvent = components['schemas']['StockOutChangedEvent'];
export type StockOutChange = components['schemas']['StockOutChange'];
export type QrCodeOpenedEvent = components['schemas']['QrCodeOpenedEvent'];
export type QrCodeState = components['schemas']['QrCodeState'];
export type QrCodeSettledEvent = components['schemas']['QrCodeSettledEvent'];
export type CounterCodeToppedUpEvent = components['schemas']['CounterCodeToppedUpEvent'];
export type CreditedCounterCode = components['schemas']['CreditedCounterCode'];
export type BillUpdatedEvent = components['schemas']['BillUpdatedEvent'];
export type BillPaidEvent = components['schemas']['BillPaidEvent'];
export type BillClosedEvent = components['schemas']['BillClosedEvent'];
export type BillVoidedEvent = components['schemas']['BillVoidedEvent'];
export type TableCalledEvent = components['schemas']['TableCalledEvent'];
export type TableCall = components['schemas']['TableCall'];
export type TableCallAnsweredEvent = components['schemas']['TableCallAnsweredEvent'];
export type RecordingChangedEvent = components['schemas']['RecordingChangedEvent'];
export type Recording = components['schemas']['Recording'];
export type EnrolCustomerRequest = components['schemas']['EnrolCustomerRequest'];
export type ForgetPinRequest = components['schemas']['ForgetPinRequest'];
export type TopUpStoredValueRequest = components['schemas']['TopUpStoredValueRequest'];
export type RedeemStoredValueRequest = components['schemas']['RedeemStoredValueRequest'];
export type RedeemVoucherRequest = components['schemas']['RedeemVoucherRequest'];
export type RedeemPointsRequest = components['schemas']['RedeemPointsRequest'];
export type SubmitSaleRequest = components['schemas']['SubmitSaleRequest'];
export type VoidTransactionsRequest = components['schemas']['VoidTransactionsRequest'];
export type GenerateQrCodeRequest = components['schemas']['GenerateQrCodeRequest'];
export type InvalidateQrCodeRequest = components['schemas']['InvalidateQrCodeRequest'];
export type SetOrderStatusRequest = components['schemas']['SetOrderStatusRequest'];
export type PutBillRequest = components['schemas']['PutBillRequest'];
export type CloseBillRequest = components['schemas']['CloseBillRequest'];
export type VoidBillRequest = components['schemas']['VoidBillRequest'];
export type RefundBillPaymentRequest = components['schemas']['RefundBillPaymentRequest'];
export type StockOutRequest = components['schemas']['StockOutRequest'];
export type RestoreStockRequest = components['schemas']['RestoreStockRequest'];
export type AdvanceSandboxClockRequest = components['schemas']['AdvanceSandboxClockRequest'];
export type SetSandboxFaultsRequest = components['schemas']['SetSandboxFaultsRequest'];
export type ResetSandboxRequest = components['schemas']['ResetSandboxRequest'];
export type $defs = Record<string, never>;
export interface operations {
    ping: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful response */
            200: {
                headers: {
                    /** @description Identifies this request in the logs of the service. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "environment": "sandbox",
                     *       "merchant": {
                     *         "name": "Kopi & Kaya",
                     *         "currency": "SGD",
                     *         "timeZone": "Asia/Singapore"
                     *       },
                     *       "store": {
                     *         "storeCode": "ORCHARD",
                     *         "name": "Kopi & Kaya Orchard"
                     *       },
                     *       "stores": [
                     *         {
                     *           "storeCode": "ORCHARD",
                     *           "name": "Kopi & Kaya Orchard"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @enum {string} */
                        environment: "sandbox" | "production";
                        merchant: {
                            name: string;
                            currency: string;
                            timeZone: string;
                        };
                        /** @description The store that the key is bound to. Null for a merchant-wide key. */
                        store: {
                            storeCode: string;
                            name: string;
                        } | null;
                        /** @description The open stores that the key works for, by `storeCode`: the bound one, or all of the merchant. */
                        stores: {
                            storeCode: string;
                            name: string;
                        }[];
                    };
                };
            };
            308: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    getCustomerBalancesByPhone: {
        parameters: {
            query?: {
                /** @description The POS's own code for the store. A key bound to a store implies it. A merchant-wide key must name it, except for balances, enrolment and forget-pin. */
                storeCode?: string;
            };
            header?: never;
            path: {
                /**
                 * @description E.164 (`+6591234567`) or a national number of the merchant's country. Spaces and dashes are ignored.
                 * @example +6591234567
                 */
                phone: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful response */
            200: {
                headers: {
                    /** @description Identifies this request in the logs of the service. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "customer": {
                     *         "customerId": "01981f2e-7c1a-7d3e-9b54-0c2f5a8e4d11",
                     *         "givenName": "Mei Ling",
                     *         "lastName": "Tan",
                     *         "phone": "+6591234567",
                     *         "email": "mei.ling@example.com",
                     *         "birthday": "1990-05-17",
                     *         "joinedAt": "2025-03-01T02:15:00.000Z",
                     *         "hasPin": true
                     *       },
                     *       "pinRequired": false,
                     *       "currency": "SGD",
                     *       "storedValue": {
                     *         "balance": 12000,
                     *         "principal": 10000,
                     *         "bonus": 2000,
                     *         "expiring": [
                     *           {
                     *             "amount": 2000,
                     *             "expiresAt": "2027-02-18T15:59:59.999Z"
                     *           }
                     *         ]
                     *       },
                     *       "points": {
                     *         "balance": 340,
                     *         "worth": 340,
                     *         "pointValue": 1,
                     *         "minRedeemPoints": 100,
                     *         "expiring": []
                     *       },
                     *       "vouchers": [
                     *         {
                     *           "voucherCode": "K7WQM-3RTXV",
                     *           "name": "10% off your bill",
                     *           "unit": "BillDollarPercentage",
                     *           "value": 10,
                     *           "plus": [],
                     *           "minSpend": 0,
                     *           "maxDiscount": 1500,
                     *           "maxUnits": 1,
                     *           "stackable": false,
                     *           "issuedAt": "2026-11-01T00:00:00.000Z",
                     *           "expiresAt": null
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Balances"];
                };
            };
            308: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    getCustomerBalancesByEmail: {
        parameters: {
            query?: {
                /** @description The POS's own code for the store. A key bound to a store implies it. A merchant-wide key must name it, except for balances, enrolment and forget-pin. */
                storeCode?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Letter case does not matter.
                 * @example mei.ling@example.com
                 */
                email: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful response */
            200: {
                headers: {
                    /** @description Identifies this request in the logs of the service. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "customer": {
                     *         "customerId": "01981f2e-7c1a-7d3e-9b54-0c2f5a8e4d11",
                     *         "givenName": "Mei Ling",
                     *         "lastName": "Tan",
                     *         "phone": "+6591234567",
                     *         "email": "mei.ling@example.com",
                     *         "birthday": "1990-05-17",
                     *         "joinedAt": "2025-03-01T02:15:00.000Z",
                     *         "hasPin": true
                     *       },
                     *       "pinRequired": false,
                     *       "currency": "SGD",
                     *       "storedValue": {
                     *         "balance": 12000,
                     *         "principal": 10000,
                     *         "bonus": 2000,
                     *         "expiring": [
                     *           {
                     *             "amount": 2000,
                     *             "expiresAt": "2027-02-18T15:59:59.999Z"
                     *           }
                     *         ]
                     *       },
                     *       "points": {
                     *         "balance": 340,
                     *         "worth": 340,
                     *         "pointValue": 1,
                     *         "minRedeemPoints": 100,
                     *         "expiring": []
                     *       },
                     *       "vouchers": [
                     *         {
                     *           "voucherCode": "K7WQM-3RTXV",
                     *           "name": "10% off your bill",
                     *           "unit": "BillDollarPercentage",
                     *           "value": 10,
                     *           "plus": [],
                     *           "minSpend": 0,
                     *           "maxDiscount": 1500,
                     *           "maxUnits": 1,
                     *           "stackable": false,
                     *           "issuedAt": "2026-11-01T00:00:00.000Z",
                     *           "expiresAt": null
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Balances"];
                };
            };
            308: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    enrolCustomer: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "givenName": "Rachel",
                 *       "lastName": "Ong",
                 *       "email": "rachel.ong@example.com"
                 *     }
                 */
                "application/json": components["schemas"]["EnrolCustomerRequest"];
            };
        };
        responses: {
            /** @description Successful response */
            200: {
                headers: {
                    /** @description Identifies this request in the logs of the service. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "customerId": "01981f2e-7c1a-7d3e-9b54-0c2f5a8e4d11",
                     *       "givenName": "Rachel",
                     *       "lastName": "Ong",
                     *       "phone": null,
                     *       "email": "rachel.ong@example.com",
                     *       "birthday": null,
                     *       "joinedAt": "2025-03-01T02:15:00.000Z",
                     *       "hasPin": false,
                     *       "vouchersIssued": []
                     *     }
                     */
                    "application/json": components["schemas"]["EnrolledCustomer"];
                };
            };
            308: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    forgetPin: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "customer": {
                 *         "phone": "+6591234571"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ForgetPinRequest"];
            };
        };
        responses: {
            /** @description Successful response */
            200: {
                headers: {
                    /** @description Identifies this request in the logs of the service. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "sent",
                     *       "channel": "whatsapp",
                     *       "phone": "+65••••4571"
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status: "sent";
                        /** @constant */
                        channel: "whatsapp";
                        /** @description The number the PIN was sent to, masked. */
                        phone: string;
                    };
                };
            };
            308: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    listStoredValuePackages: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The POS's own code for the store. A key bound to a store implies it. A merchant-wide key must name it, except for balances, enrolment and forget-pin.
                 * @example ORCHARD
                 */
                storeCode: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful response */
            200: {
                headers: {
                    /** @description Identifies this request in the logs of the service. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "packages": [
                     *         {
                     *           "packageId": "01900000-0000-718d-8c6d-2b3ab42f66ec",
                     *           "name": "Top up 100, get 120",
                     *           "kind": "fixed",
                     *           "amount": 10000,
                     *           "minAmount": null,
                     *           "maxAmount": null,
                     *           "bonusAmount": 2000,
                     *           "bonusPercent": null,
                     *           "creditedAmount": 12000,
                     *           "bonusExpiresInDays": 90,
                     *           "validFrom": null,
                     *           "validUntil": null
                     *         }
                     *       ],
                     *       "currency": "SGD"
                     *     }
                     */
                    "application/json": {
                        packages: components["schemas"]["StoredValuePackage"][];
                        /** @description ISO 4217 code of the merchant's currency. */
                        currency: string;
                    };
                };
            };
            308: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    topUpStoredValue: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "transactionId": "T1-20261120-0041",
                 *       "customer": {
                 *         "phone": "+6591234568"
                 *       },
                 *       "packageId": "01900000-0000-718d-8c6d-2b3ab42f66ec",
                 *       "amount": 10000,
                 *       "billId": "B-1093"
                 *     }
                 */
                "application/json": components["schemas"]["TopUpStoredValueRequest"];
            };
        };
        responses: {
            /** @description Successful response */
            200: {
                headers: {
                    /** @description Identifies this request in the logs of the service. */
                    "x-request-id"?: string;
                    /** @description `true` if this is the stored response to an earlier, identical request: byte for byte. */
                    "idempotent-replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "transactionId": "T1-20261120-0041",
                     *       "status": "completed",
                     *       "currency": "SGD",
                     *       "occurredAt": "2026-11-20T11:42:07.318Z",
                     *       "createdAt": "2026-11-20T11:42:07.318Z",
                     *       "customerId": "01981f2e-7c1a-7d3e-9b54-0c2f5a8e4d12",
                     *       "printText": "Kopi & Kaya\nTop-up                           $120.00\nPaid                             $100.00",
                     *       "type": "topUp",
                     *       "packageId": "01900000-0000-718d-8c6d-2b3ab42f66ec",
                     *       "principal": 10000,
                     *       "bonus": 2000,
                     *       "credited": 12000,
                     *       "storedValue": {
                     *         "balance": 12000,
                     *         "principal": 10000,
                     *         "bonus": 2000
                     *       },
                     *       "bonusExpiresAt": "2027-02-18T15:59:59.999Z"
                     *     }
                     */
                    "application/json": components["schemas"]["TopUp"];
                };
            };
            308: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    getTopUpRequest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The six-digit code on the customer's phone. It identifies a top-up that is paid at the counter.
                 * @example 402913
                 */
                counterCode: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful response */
            200: {
                headers: {
                    /** @description Identifies this request in the logs of the service. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "counterCode": "402913",
                     *       "customer": {
                     *         "customerId": "01981f2e-7c1a-7d3e-9b54-0c2f5a8e4d12",
                     *         "givenName": "Wei Jie",
                     *         "lastName": "Lim"
                     *       },
                     *       "packageId": "01900000-0000-718d-8c6d-2b3ab42f66ec",
                     *       "packageName": "Top up 100, get 120",
                     *       "amount": 10000,
                     *       "bonus": 2000,
                     *       "credited": 12000,
                     *       "currency": "SGD",
                     *       "expiresAt": "2026-11-20T12:12:07.318Z"
                     *     }
                     */
                    "application/json": components["schemas"]["CounterCodeTopUp"];
                };
            };
            308: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    redeemStoredValue: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "transactionId": "T1-20261120-0043",
                 *       "customer": {
                 *         "phone": "+6591234569"
                 *       },
                 *       "amount": 2450,
                 *       "pin": "4831"
                 *     }
                 */
                "application/json": components["schemas"]["RedeemStoredValueRequest"];
            };
        };
        responses: {
            /** @description Successful response */
            200: {
                headers: {
                    /** @description Identifies this request in the logs of the service. */
                    "x-request-id"?: string;
                    /** @description `true` if this is the stored response to an earlier, identical request: byte for byte. */
                    "idempotent-replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "transactionId": "T1-20261120-0043",
                     *       "status": "completed",
                     *       "currency": "SGD",
                     *       "occurredAt": "2026-11-20T11:42:07.318Z",
                     *       "createdAt": "2026-11-20T11:42:07.318Z",
                     *       "customerId": "01981f2e-7c1a-7d3e-9b54-0c2f5a8e4d13",
                     *       "printText": "Kopi & Kaya\nStored value used                 $24.50\nBalance                        $9,975.50",
                     *       "type": "redeemStoredValue",
                     *       "amountRedeemed": 2450,
                     *       "remainingDue": 0,
                     *       "principalUsed": 2450,
                     *       "bonusUsed": 0,
                     *       "storedValue": {
                     *         "balance": 997550,
                     *         "principal": 997550,
                     *         "bonus": 0
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["StoredValueRedemption"];
                };
            };
            308: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    redeemVoucher: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "transactionId": "T1-20261120-0044",
                 *       "customer": {
                 *         "phone": "+6591234567"
                 *       },
                 *       "voucherCode": "K7WQM-3RTXV",
                 *       "bill": {
                 *         "amount": 1780,
                 *         "lines": [
                 *           {
                 *             "plu": "N001",
                 *             "quantity": 2,
                 *             "unitPrice": 890
                 *           }
                 *         ]
                 *       },
                 *       "pin": "4831",
                 *       "dryRun": true
                 *     }
                 */
                "application/json": components["schemas"]["RedeemVoucherRequest"];
            };
        };
        responses: {
            /** @description Successful response */
            200: {
                headers: {
                    /** @description Identifies this request in the logs of the service. */
                    "x-request-id"?: string;
                    /** @description `true` if this is the stored response to an earlier, identical request: byte for byte. */
                    "idempotent-replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "transactionId": "T1-20261120-0044",
                     *       "status": "dryRun",
                     *       "currency": "SGD",
                     *       "occurredAt": "2026-11-20T11:42:07.318Z",
                     *       "createdAt": "2026-11-20T11:42:07.318Z",
                     *       "customerId": "01981f2e-7c1a-7d3e-9b54-0c2f5a8e4d11",
                     *       "printText": "Kopi & Kaya\nVoucher                      K7WQM-3RTXV\nDiscount                          -$1.78\nTo pay                            $16.02",
                     *       "type": "redeemVoucher",
                     *       "voucherCode": "K7WQM-3RTXV",
                     *       "unit": "BillDollarPercentage",
                     *       "discount": {
                     *         "amount": 178,
                     *         "lines": [
                     *           {
                     *             "index": 0,
                     *             "plu": "N001",
                     *             "amount": 178
                     *           }
                     *         ]
                     *       },
                     *       "billAmountAfter": 1602
                     *     }
                     */
                    "application/json": components["schemas"]["VoucherRedemption"];
                };
            };
            308: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    redeemPoints: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "transactionId": "T1-20261120-0045",
                 *       "customer": {
                 *         "phone": "+6591234570"
                 *       },
                 *       "points": 300,
                 *       "pin": "4831"
                 *     }
                 */
                "application/json": components["schemas"]["RedeemPointsRequest"];
            };
        };
        responses: {
            /** @description Successful response */
            200: {
                headers: {
                    /** @description Identifies this request in the logs of the service. */
                    "x-request-id"?: string;
                    /** @description `true` if this is the stored response to an earlier, identical request: byte for byte. */
                    "idempotent-replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "transactionId": "T1-20261120-0045",
                     *       "status": "completed",
                     *       "currency": "SGD",
                     *       "occurredAt": "2026-11-20T11:42:07.318Z",
                     *       "createdAt": "2026-11-20T11:42:07.318Z",
                     *       "customerId": "01981f2e-7c1a-7d3e-9b54-0c2f5a8e4d14",
                     *       "printText": "Kopi & Kaya\nPoints used                          300\nDiscount                          -$3.00\nPoints                            99,700",
                     *       "type": "redeemPoints",
                     *       "pointsRedeemed": 300,
                     *       "amount": 300,
                     *       "points": {
                     *         "balance": 99700,
                     *         "worth": 99700
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["PointsRedemption"];
                };
            };
            308: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    submitSale: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "transactionId": "T1-20261120-0046",
                 *       "customer": {
                 *         "phone": "+6591234570"
                 *       },
                 *       "billId": "B-1093",
                 *       "lines": [
                 *         {
                 *           "plu": "N001",
                 *           "name": "Laksa",
                 *           "quantity": 2,
                 *           "unitPrice": 890,
                 *           "amount": 1780
                 *         }
                 *       ],
                 *       "subtotal": 1780,
                 *       "discount": 0,
                 *       "serviceCharge": 178,
                 *       "tax": 176,
                 *       "rounding": 1,
                 *       "total": 2135,
                 *       "payments": [
                 *         {
                 *           "method": "visa",
                 *           "amount": 2135
                 *         }
                 *       ],
                 *       "closedAt": "2026-11-20T19:42:00+08:00"
                 *     }
                 */
                "application/json": components["schemas"]["SubmitSaleRequest"];
            };
        };
        responses: {
            /** @description Successful response */
            200: {
                headers: {
                    /** @description Identifies this request in the logs of the service. */
                    "x-request-id"?: string;
                    /** @description `true` if this is the stored response to an earlier, identical request: byte for byte. */
                    "idempotent-replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "transactionId": "T1-20261120-0046",
                     *       "status": "completed",
                     *       "currency": "SGD",
                     *       "occurredAt": "2026-11-20T11:42:07.318Z",
                     *       "createdAt": "2026-11-20T11:42:07.318Z",
                     *       "customerId": "01981f2e-7c1a-7d3e-9b54-0c2f5a8e4d14",
                     *       "printText": "Kopi & Kaya\nTotal                             $21.35\nPoints earned                         17\nPoints                            99,717",
                     *       "type": "sale",
                     *       "pointsEarned": 17,
                     *       "points": {
                     *         "balance": 99717,
                     *         "worth": 99717
                     *       },
                     *       "vouchersIssued": []
                     *     }
                     */
                    "application/json": components["schemas"]["Sale"];
                };
            };
            308: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    voidTransactions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "transactionIds": [
                 *         "T1-20261120-0048",
                 *         "T1-20261120-0049"
                 *       ],
                 *       "reason": "Bill cancelled"
                 *     }
                 */
                "application/json": components["schemas"]["VoidTransactionsRequest"];
            };
        };
        responses: {
            /** @description Successful response */
            200: {
                headers: {
                    /** @description Identifies this request in the logs of the service. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "results": [
                     *         {
                     *           "transactionId": "T1-20261120-0048",
                     *           "status": "voided",
                     *           "type": "topUp",
                     *           "customerId": "01981f2e-7c1a-7d3e-9b54-0c2f5a8e4d19"
                     *         },
                     *         {
                     *           "transactionId": "T1-20261120-0049",
                     *           "status": "voided",
                     *           "type": "redeemStoredValue",
                     *           "customerId": "01981f2e-7c1a-7d3e-9b54-0c2f5a8e4d19"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        results: {
                            /** @description Chosen by the POS. Unique within its store and never reused. To retry safely, send the same id again. */
                            transactionId: string;
                            /**
                             * @description `not_found`: the id was never used. It is now recorded as voided, so a late original is refused.
                             * @enum {string}
                             */
                            status: "voided" | "already_voided" | "not_found";
                            /** @enum {string} */
                            type?: "topUp" | "redeemStoredValue" | "redeemVoucher" | "redeemPoints" | "sale";
                            /** Format: uuid */
                            customerId?: string;
                            /** @description Points earned by the voided sale that the customer has already spent, so they could not be deducted. */
                            pointsShortfall?: number;
                        }[];
                    };
                };
            };
            308: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    getTransaction: {
        parameters: {
            query?: {
                /** @description The POS's own code for the store. A key bound to a store implies it. A merchant-wide key must name it, except for balances, enrolment and forget-pin. */
                storeCode?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Chosen by the POS. Unique within its store and never reused. To retry safely, send the same id again.
                 * @example T1-20261120-0042
                 */
                transactionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful response */
            200: {
                headers: {
                    /** @description Identifies this request in the logs of the service. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "transactionId": "T1-20261120-0042",
                     *       "type": "topUp",
                     *       "status": "completed",
                     *       "answer": {
                     *         "transactionId": "T1-20261120-0042",
                     *         "status": "completed",
                     *         "currency": "SGD",
                     *         "occurredAt": "2026-11-20T11:42:07.318Z",
                     *         "createdAt": "2026-11-20T11:42:07.318Z",
                     *         "customerId": "01981f2e-7c1a-7d3e-9b54-0c2f5a8e4d11",
                     *         "printText": "Kopi & Kaya\nTop-up                           $120.00\nPaid                             $100.00",
                     *         "type": "topUp",
                     *         "packageId": "01900000-0000-718d-8c6d-2b3ab42f66ec",
                     *         "principal": 10000,
                     *         "bonus": 2000,
                     *         "credited": 12000,
                     *         "storedValue": {
                     *           "balance": 12000,
                     *           "principal": 10000,
                     *           "bonus": 2000
                     *         },
                     *         "bonusExpiresAt": "2027-02-18T15:59:59.999Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["TransactionOutcome"];
                };
            };
            308: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    generateQrCode: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "billId": "B-1093",
                 *       "table": "12",
                 *       "guests": 4,
                 *       "expiresInMinutes": 180
                 *     }
                 */
                "application/json": components["schemas"]["GenerateQrCodeRequest"];
            };
        };
        responses: {
            /** @description Successful response */
            200: {
                headers: {
                    /** @description Identifies this request in the logs of the service. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "qrCodeId": "01981f2e-8b20-7c4d-9a11-3f6e0d2b7c55",
                     *       "billId": "B-1093",
                     *       "table": "12",
                     *       "guests": 4,
                     *       "status": "active",
                     *       "url": "https://loyalty.example.com/q/3q2-7wAAAAAAAAAAAAAAAA",
                     *       "imageSvg": "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 41 41\">…</svg>",
                     *       "imagePng": "data:image/png;base64,iVBORw0KGgo…",
                     *       "expiresAt": "2026-11-20T14:42:07.318Z",
                     *       "createdAt": "2026-11-20T11:42:07.318Z"
                     *     }
                     */
                    "application/json": {
                        /** Format: uuid */
                        qrCodeId: string;
                        billId: string;
                        /** @description The table name or number that diners see. */
                        table: string | null;
                        /** @description Number of guests given when the code was created. */
                        guests: number | null;
                        /** @constant */
                        status: "active";
                        /**
                         * Format: uri
                         * @description Address of the ordering page. The QR code contains this.
                         */
                        url: string;
                        /** @description The code as an SVG document. */
                        imageSvg: string;
                        /** @description The code as a PNG data URI. */
                        imagePng: string;
                        /**
                         * Format: date-time
                         * @description RFC 3339, UTC.
                         */
                        expiresAt: string;
                        /**
                         * Format: date-time
                         * @description RFC 3339, UTC.
                         */
                        createdAt: string;
                    };
                };
            };
            308: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    invalidateQrCode: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "billId": "B-1093"
                 *     }
                 */
                "application/json": components["schemas"]["InvalidateQrCodeRequest"];
            };
        };
        responses: {
            /** @description Successful response */
            200: {
                headers: {
                    /** @description Identifies this request in the logs of the service. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "qrCodeId": "01981f2e-8b20-7c4d-9a11-3f6e0d2b7c55",
                     *       "billId": "B-1093",
                     *       "status": "invalidated",
                     *       "invalidatedAt": "2026-11-20T13:05:44.120Z"
                     *     }
                     */
                    "application/json": {
                        /** Format: uuid */
                        qrCodeId: string;
                        billId: string;
                        /** @constant */
                        status: "invalidated";
                        /**
                         * Format: date-time
                         * @description RFC 3339, UTC.
                         */
                        invalidatedAt: string;
                    };
                };
            };
            308: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    getQrCode: {
        parameters: {
            query?: {
                /** @description The POS's own code for the store. A key bound to a store implies it. A merchant-wide key must name it, except for balances, enrolment and forget-pin. */
                storeCode?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The id returned when the code was created.
                 * @example 01981f2e-8b20-7c4d-9a11-3f6e0d2b7c55
                 */
                qrCodeId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful response */
            200: {
                headers: {
                    /** @description Identifies this request in the logs of the service. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "qrCodeId": "01981f2e-8b20-7c4d-9a11-3f6e0d2b7c55",
                     *       "billId": "B-1093",
                     *       "table": "12",
                     *       "guests": 4,
                     *       "status": "active",
                     *       "expiresAt": "2026-11-20T14:42:07.318Z",
                     *       "createdAt": "2026-11-20T11:42:07.318Z",
                     *       "invalidatedAt": null,
                     *       "orders": [
                     *         {
                     *           "orderId": "01981f2e-9d40-7b1c-8e02-5a7c1f9b3d60",
                     *           "number": 418,
                     *           "qrCodeId": "01981f2e-8b20-7c4d-9a11-3f6e0d2b7c55",
                     *           "billId": "B-1093",
                     *           "table": "12",
                     *           "status": "placed",
                     *           "total": 1220,
                     *           "note": "",
                     *           "guestName": "Mei",
                     *           "lines": [
                     *             {
                     *               "plu": "N001",
                     *               "name": "Laksa",
                     *               "quantity": 1,
                     *               "unitPrice": 1040,
                     *               "amount": 1040,
                     *               "options": [
                     *                 {
                     *                   "name": "Extra prawns",
                     *                   "price": 150,
                     *                   "plu": "X004"
                     *                 }
                     *               ],
                     *               "note": "less spicy"
                     *             },
                     *             {
                     *               "plu": "D001",
                     *               "name": "Kopi",
                     *               "quantity": 1,
                     *               "unitPrice": 180,
                     *               "amount": 180,
                     *               "options": [],
                     *               "note": ""
                     *             }
                     *           ],
                     *           "placedAt": "2026-11-20T11:42:07.318Z",
                     *           "updatedAt": "2026-11-20T11:42:07.318Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["QrCode"];
                };
            };
            308: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    listOrders: {
        parameters: {
            query?: {
                /** @description The POS's own code for the store. A key bound to a store implies it. A merchant-wide key must name it, except for balances, enrolment and forget-pin. */
                storeCode?: string;
                /**
                 * @description Only orders with this status.
                 * @example placed
                 */
                status?: "placed" | "accepted" | "ready" | "served" | "cancelled";
                /** @description The `nextCursor` of the previous page. */
                after?: string;
                /** @description Maximum number of items per page. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful response */
            200: {
                headers: {
                    /** @description Identifies this request in the logs of the service. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "orderId": "01981f2e-9d40-7b1c-8e02-5a7c1f9b3d60",
                     *           "number": 418,
                     *           "qrCodeId": "01981f2e-8b20-7c4d-9a11-3f6e0d2b7c55",
                     *           "billId": "B-1093",
                     *           "table": "12",
                     *           "status": "placed",
                     *           "total": 1220,
                     *           "note": "",
                     *           "guestName": "Mei",
                     *           "lines": [
                     *             {
                     *               "plu": "N001",
                     *               "name": "Laksa",
                     *               "quantity": 1,
                     *               "unitPrice": 1040,
                     *               "amount": 1040,
                     *               "options": [
                     *                 {
                     *                   "name": "Extra prawns",
                     *                   "price": 150,
                     *                   "plu": "X004"
                     *                 }
                     *               ],
                     *               "note": "less spicy"
                     *             },
                     *             {
                     *               "plu": "D001",
                     *               "name": "Kopi",
                     *               "quantity": 1,
                     *               "unitPrice": 180,
                     *               "amount": 180,
                     *               "options": [],
                     *               "note": ""
                     *             }
                     *           ],
                     *           "placedAt": "2026-11-20T11:42:07.318Z",
                     *           "updatedAt": "2026-11-20T11:42:07.318Z"
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": {
                        /** @description Oldest first. */
                        items: components["schemas"]["Order"][];
                        /** @description Send it as `after` to get the next page. Null on the last page. */
                        nextCursor: string | null;
                    };
                };
            };
            308: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    setOrderStatus: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The `orderId` from the list of orders.
                 * @example 01981f2e-9d40-7b1c-8e02-5a7c1f9b3d60
                 */
                orderId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "status": "accepted"
                 *     }
                 */
                "application/json": components["schemas"]["SetOrderStatusRequest"];
            };
        };
        responses: {
            /** @description Successful response */
            200: {
                headers: {
                    /** @description Identifies this request in the logs of the service. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "orderId": "01981f2e-9d40-7b1c-8e02-5a7c1f9b3d60",
                     *       "number": 418,
                     *       "qrCodeId": "01981f2e-8b20-7c4d-9a11-3f6e0d2b7c55",
                     *       "billId": "B-1093",
                     *       "table": "12",
                     *       "status": "accepted",
                     *       "total": 1220,
                     *       "note": "",
                     *       "guestName": "Mei",
                     *       "lines": [
                     *         {
                     *           "plu": "N001",
                     *           "name": "Laksa",
                     *           "quantity": 1,
                     *           "unitPrice": 1040,
                     *           "amount": 1040,
                     *           "options": [
                     *             {
                     *               "name": "Extra prawns",
                     *               "price": 150,
                     *               "plu": "X004"
                     *             }
                     *           ],
                     *           "note": "less spicy"
                     *         },
                     *         {
                     *           "plu": "D001",
                     *           "name": "Kopi",
                     *           "quantity": 1,
                     *           "unitPrice": 180,
                     *           "amount": 180,
                     *           "options": [],
                     *           "note": ""
                     *         }
                     *       ],
                     *       "placedAt": "2026-11-20T11:42:07.318Z",
                     *       "updatedAt": "2026-11-20T11:42:07.318Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Order"];
                };
            };
            308: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    getBill: {
        parameters: {
            query?: {
                /** @description The POS's own code for the store. A key bound to a store implies it. A merchant-wide key must name it, except for balances, enrolment and forget-pin. */
                storeCode?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The POS's bill, check or order number.
                 * @example B-1094
                 */
                billId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful response */
            200: {
                headers: {
                    /** @description Identifies this request in the logs of the service. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "billId": "B-1094",
                     *       "revision": 3,
                     *       "state": "open",
                     *       "table": "12",
                     *       "currency": "SGD",
                     *       "lines": [
                     *         {
                     *           "plu": "N001",
                     *           "name": "Laksa",
                     *           "quantity": 1,
                     *           "unitPrice": 1040,
                     *           "amount": 1040
                     *         },
                     *         {
                     *           "plu": "D001",
                     *           "name": "Kopi",
                     *           "quantity": 1,
                     *           "unitPrice": 180,
                     *           "amount": 180
                     *         }
                     *       ],
                     *       "subtotal": 1220,
                     *       "discount": 0,
                     *       "serviceCharge": 122,
                     *       "tax": 121,
                     *       "rounding": 0,
                     *       "total": 1463,
                     *       "discountTransactionIds": [],
                     *       "redemptions": [
                     *         {
                     *           "transactionId": "T1-20261120-0051",
                     *           "type": "redeemStoredValue",
                     *           "customerId": "01981f2e-7c1a-7d3e-9b54-0c2f5a8e4d11",
                     *           "amount": 463,
                     *           "isInDiscount": false,
                     *           "status": "completed",
                     *           "occurredAt": "2026-11-20T11:42:07.318Z"
                     *         }
                     *       ],
                     *       "payments": [],
                     *       "redeemed": 463,
                     *       "paid": 0,
                     *       "held": 0,
                     *       "tips": 0,
                     *       "due": 1000,
                     *       "overpaid": 0,
                     *       "openedAt": "2026-11-20T11:42:07.318Z",
                     *       "updatedAt": "2026-11-20T11:42:07.318Z",
                     *       "closedAt": null
                     *     }
                     */
                    "application/json": components["schemas"]["Bill"];
                };
            };
            308: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    putBill: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The POS's bill, check or order number.
                 * @example B-1094
                 */
                billId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "revision": 3,
                 *       "table": "12",
                 *       "currency": "SGD",
                 *       "lines": [
                 *         {
                 *           "plu": "N001",
                 *           "name": "Laksa",
                 *           "quantity": 1,
                 *           "unitPrice": 1040,
                 *           "amount": 1040
                 *         },
                 *         {
                 *           "plu": "D001",
                 *           "name": "Kopi",
                 *           "quantity": 1,
                 *           "unitPrice": 180,
                 *           "amount": 180
                 *         }
                 *       ],
                 *       "subtotal": 1220,
                 *       "discount": 0,
                 *       "serviceCharge": 122,
                 *       "tax": 121,
                 *       "total": 1463
                 *     }
                 */
                "application/json": components["schemas"]["PutBillRequest"];
            };
        };
        responses: {
            /** @description Successful response */
            200: {
                headers: {
                    /** @description Identifies this request in the logs of the service. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "billId": "B-1094",
                     *       "revision": 3,
                     *       "state": "open",
                     *       "table": "12",
                     *       "currency": "SGD",
                     *       "lines": [
                     *         {
                     *           "plu": "N001",
                     *           "name": "Laksa",
                     *           "quantity": 1,
                     *           "unitPrice": 1040,
                     *           "amount": 1040
                     *         },
                     *         {
                     *           "plu": "D001",
                     *           "name": "Kopi",
                     *           "quantity": 1,
                     *           "unitPrice": 180,
                     *           "amount": 180
                     *         }
                     *       ],
                     *       "subtotal": 1220,
                     *       "discount": 0,
                     *       "serviceCharge": 122,
                     *       "tax": 121,
                     *       "rounding": 0,
                     *       "total": 1463,
                     *       "discountTransactionIds": [],
                     *       "redemptions": [],
                     *       "payments": [],
                     *       "redeemed": 0,
                     *       "paid": 0,
                     *       "held": 0,
                     *       "tips": 0,
                     *       "due": 1463,
                     *       "overpaid": 0,
                     *       "openedAt": "2026-11-20T11:42:07.318Z",
                     *       "updatedAt": "2026-11-20T11:42:07.318Z",
                     *       "closedAt": null
                     *     }
                     */
                    "application/json": components["schemas"]["Bill"];
                };
            };
            308: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    closeBill: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The POS's bill, check or order number.
                 * @example B-1094
                 */
                billId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /** @example {} */
                "application/json": components["schemas"]["CloseBillRequest"];
            };
        };
        responses: {
            /** @description Successful response */
            200: {
                headers: {
                    /** @description Identifies this request in the logs of the service. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "billId": "B-1094",
                     *       "revision": 3,
                     *       "state": "closed",
                     *       "table": "12",
                     *       "currency": "SGD",
                     *       "lines": [
                     *         {
                     *           "plu": "N001",
                     *           "name": "Laksa",
                     *           "quantity": 1,
                     *           "unitPrice": 1040,
                     *           "amount": 1040
                     *         },
                     *         {
                     *           "plu": "D001",
                     *           "name": "Kopi",
                     *           "quantity": 1,
                     *           "unitPrice": 180,
                     *           "amount": 180
                     *         }
                     *       ],
                     *       "subtotal": 1220,
                     *       "discount": 0,
                     *       "serviceCharge": 122,
                     *       "tax": 121,
                     *       "rounding": 0,
                     *       "total": 1463,
                     *       "discountTransactionIds": [],
                     *       "redemptions": [
                     *         {
                     *           "transactionId": "T1-20261120-0051",
                     *           "type": "redeemStoredValue",
                     *           "customerId": "01981f2e-7c1a-7d3e-9b54-0c2f5a8e4d11",
                     *           "amount": 463,
                     *           "isInDiscount": false,
                     *           "status": "completed",
                     *           "occurredAt": "2026-11-20T11:42:07.318Z"
                     *         }
                     *       ],
                     *       "payments": [],
                     *       "redeemed": 463,
                     *       "paid": 0,
                     *       "held": 0,
                     *       "tips": 0,
                     *       "due": 0,
                     *       "overpaid": 0,
                     *       "openedAt": "2026-11-20T11:42:07.318Z",
                     *       "updatedAt": "2026-11-20T11:42:07.318Z",
                     *       "closedAt": "2026-11-20T13:05:44.120Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Bill"];
                };
            };
            308: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    voidBill: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The POS's bill, check or order number.
                 * @example B-1095
                 */
                billId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "reason": "Opened by mistake"
                 *     }
                 */
                "application/json": components["schemas"]["VoidBillRequest"];
            };
        };
        responses: {
            /** @description Successful response */
            200: {
                headers: {
                    /** @description Identifies this request in the logs of the service. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "billId": "B-1095",
                     *       "revision": 3,
                     *       "state": "void",
                     *       "table": "12",
                     *       "currency": "SGD",
                     *       "lines": [
                     *         {
                     *           "plu": "N001",
                     *           "name": "Laksa",
                     *           "quantity": 1,
                     *           "unitPrice": 1040,
                     *           "amount": 1040
                     *         },
                     *         {
                     *           "plu": "D001",
                     *           "name": "Kopi",
                     *           "quantity": 1,
                     *           "unitPrice": 180,
                     *           "amount": 180
                     *         }
                     *       ],
                     *       "subtotal": 1220,
                     *       "discount": 0,
                     *       "serviceCharge": 122,
                     *       "tax": 121,
                     *       "rounding": 0,
                     *       "total": 1463,
                     *       "discountTransactionIds": [],
                     *       "redemptions": [],
                     *       "payments": [],
                     *       "redeemed": 0,
                     *       "paid": 0,
                     *       "held": 0,
                     *       "tips": 0,
                     *       "due": 0,
                     *       "overpaid": 0,
                     *       "openedAt": "2026-11-20T11:42:07.318Z",
                     *       "updatedAt": "2026-11-20T11:42:07.318Z",
                     *       "closedAt": "2026-11-20T11:45:10.005Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Bill"];
                };
            };
            308: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    refundBillPayment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The POS's bill, check or order number.
                 * @example B-1096
                 */
                billId: string;
                /**
                 * @description The `paymentId` in `payments` of the bill.
                 * @example 01981f2e-a1c0-7d3e-9b44-6c8d2f0a4e71
                 */
                paymentId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "reason": "Dish sent back"
                 *     }
                 */
                "application/json": components["schemas"]["RefundBillPaymentRequest"];
            };
        };
        responses: {
            /** @description Successful response */
            200: {
                headers: {
                    /** @description Identifies this request in the logs of the service. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "billId": "B-1096",
                     *       "revision": 1,
                     *       "state": "open",
                     *       "table": "12",
                     *       "currency": "SGD",
                     *       "lines": [
                     *         {
                     *           "plu": "N001",
                     *           "name": "Laksa",
                     *           "quantity": 1,
                     *           "unitPrice": 1040,
                     *           "amount": 1040
                     *         },
                     *         {
                     *           "plu": "D001",
                     *           "name": "Kopi",
                     *           "quantity": 1,
                     *           "unitPrice": 180,
                     *           "amount": 180
                     *         }
                     *       ],
                     *       "subtotal": 1220,
                     *       "discount": 0,
                     *       "serviceCharge": 0,
                     *       "tax": 0,
                     *       "rounding": 0,
                     *       "total": 1220,
                     *       "discountTransactionIds": [],
                     *       "redemptions": [],
                     *       "payments": [
                     *         {
                     *           "paymentId": "01981f2e-a1c0-7d3e-9b44-6c8d2f0a4e71",
                     *           "method": "card",
                     *           "state": "returned",
                     *           "amount": 1220,
                     *           "tip": 0,
                     *           "returned": 1220,
                     *           "createdAt": "2026-11-20T11:42:07.318Z"
                     *         }
                     *       ],
                     *       "redeemed": 0,
                     *       "paid": 0,
                     *       "held": 0,
                     *       "tips": 0,
                     *       "due": 1220,
                     *       "overpaid": 0,
                     *       "openedAt": "2026-11-20T11:42:07.318Z",
                     *       "updatedAt": "2026-11-20T11:42:07.318Z",
                     *       "closedAt": null
                     *     }
                     */
                    "application/json": components["schemas"]["Bill"];
                };
            };
            308: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    listStockOuts: {
        parameters: {
            query?: {
                /** @description The POS's own code for the store. A key bound to a store implies it. A merchant-wide key must name it, except for balances, enrolment and forget-pin. */
                storeCode?: string;
                /** @description The `nextCursor` of the previous page. */
                after?: string;
                /** @description Maximum number of items per page. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful response */
            200: {
                headers: {
                    /** @description Identifies this request in the logs of the service. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "storeCode": "ORCHARD",
                     *       "items": [
                     *         {
                     *           "plu": "S005",
                     *           "name": "Ondeh-ondeh",
                     *           "known": true,
                     *           "until": null,
                     *           "stockedOutAt": "2026-11-20T11:42:07.318Z"
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": {
                        storeCode: string;
                        /** @description Sorted by PLU. */
                        items: {
                            plu: string;
                            /** @description Name on the menu. Null if the PLU is not on the menu. */
                            name: string | null;
                            /** @description True if the PLU is on the menu. */
                            known: boolean;
                            until: string | null;
                            /**
                             * Format: date-time
                             * @description RFC 3339, UTC.
                             */
                            stockedOutAt: string;
                        }[];
                        /** @description Send it as `after` to get the next page. Null on the last page. */
                        nextCursor: string | null;
                    };
                };
            };
            308: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    stockOut: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "plus": [
                 *         "S005",
                 *         "X900"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["StockOutRequest"];
            };
        };
        responses: {
            /** @description Successful response */
            200: {
                headers: {
                    /** @description Identifies this request in the logs of the service. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "storeCode": "ORCHARD",
                     *       "items": [
                     *         {
                     *           "plu": "S005",
                     *           "name": "Ondeh-ondeh",
                     *           "known": true,
                     *           "status": "stocked_out",
                     *           "until": null
                     *         },
                     *         {
                     *           "plu": "X900",
                     *           "name": null,
                     *           "known": false,
                     *           "status": "stocked_out",
                     *           "until": null
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        storeCode: string;
                        items: {
                            plu: string;
                            /** @description Name on the menu. Null if the PLU is not on the menu. */
                            name: string | null;
                            /** @description True if the PLU is on the menu. */
                            known: boolean;
                            /** @enum {string} */
                            status: "stocked_out" | "already_stocked_out";
                            until: string | null;
                        }[];
                    };
                };
            };
            308: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    restoreStock: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "plus": [
                 *         "S005"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["RestoreStockRequest"];
            };
        };
        responses: {
            /** @description Successful response */
            200: {
                headers: {
                    /** @description Identifies this request in the logs of the service. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "storeCode": "ORCHARD",
                     *       "items": [
                     *         {
                     *           "plu": "S005",
                     *           "name": "Ondeh-ondeh",
                     *           "known": true,
                     *           "status": "restored"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        storeCode: string;
                        items: {
                            plu: string;
                            /** @description Name on the menu. Null if the PLU is not on the menu. */
                            name: string | null;
                            /** @description True if the PLU is on the menu. */
                            known: boolean;
                            /** @enum {string} */
                            status: "restored" | "not_stocked_out";
                        }[];
                    };
                };
            };
            308: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /** @description The `nextAfter` of the response before. Without it, the list begins with the oldest event. */
                after?: string;
                /** @description Only these types, separated by commas, such as `order.placed,order.updated`. Default: all. */
                types?: string;
                /** @description Only events of this store. A key bound to a store implies it. A merchant-wide key gets all without it. */
                storeCode?: string;
                /** @description Maximum number of items per page. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful response */
            200: {
                headers: {
                    /** @description Identifies this request in the logs of the service. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "01981f2e-9e00-7c55-9f13-2b8d6a4e0c71",
                     *           "type": "order.placed",
                     *           "occurredAt": "2026-11-20T11:42:07.318Z",
                     *           "storeCode": "ORCHARD",
                     *           "data": {
                     *             "orderId": "01981f2e-9d40-7b1c-8e02-5a7c1f9b3d60",
                     *             "number": 418,
                     *             "qrCodeId": "01981f2e-8b20-7c4d-9a11-3f6e0d2b7c55",
                     *             "billId": "B-1093",
                     *             "table": "12",
                     *             "status": "placed",
                     *             "total": 1220,
                     *             "note": "",
                     *             "guestName": "Mei",
                     *             "lines": [
                     *               {
                     *                 "plu": "N001",
                     *                 "name": "Laksa",
                     *                 "quantity": 1,
                     *                 "unitPrice": 1040,
                     *                 "amount": 1040,
                     *                 "options": [
                     *                   {
                     *                     "name": "Extra prawns",
                     *                     "price": 150,
                     *                     "plu": "X004"
                     *                   }
                     *                 ],
                     *                 "note": "less spicy"
                     *               },
                     *               {
                     *                 "plu": "D001",
                     *                 "name": "Kopi",
                     *                 "quantity": 1,
                     *                 "unitPrice": 180,
                     *                 "amount": 180,
                     *                 "options": [],
                     *                 "note": ""
                     *               }
                     *             ],
                     *             "placedAt": "2026-11-20T11:42:07.318Z",
                     *             "updatedAt": "2026-11-20T11:42:07.318Z"
                     *           }
                     *         },
                     *         {
                     *           "id": "01981f2e-9e02-7c55-9f13-2b8d6a4e0c71",
                     *           "type": "transaction.completed",
                     *           "occurredAt": "2026-11-20T11:42:07.318Z",
                     *           "storeCode": "ORCHARD",
                     *           "data": {
                     *             "transactionId": "T1-20261120-0042",
                     *             "type": "topUp",
                     *             "status": "completed",
                     *             "answer": {
                     *               "transactionId": "T1-20261120-0042",
                     *               "status": "completed",
                     *               "currency": "SGD",
                     *               "occurredAt": "2026-11-20T11:42:07.318Z",
                     *               "createdAt": "2026-11-20T11:42:07.318Z",
                     *               "customerId": "01981f2e-7c1a-7d3e-9b54-0c2f5a8e4d11",
                     *               "printText": "Kopi & Kaya\nTop-up                           $120.00\nPaid                             $100.00",
                     *               "type": "topUp",
                     *               "packageId": "01900000-0000-718d-8c6d-2b3ab42f66ec",
                     *               "principal": 10000,
                     *               "bonus": 2000,
                     *               "credited": 12000,
                     *               "storedValue": {
                     *                 "balance": 12000,
                     *                 "principal": 10000,
                     *                 "bonus": 2000
                     *               },
                     *               "bonusExpiresAt": "2027-02-18T15:59:59.999Z"
                     *             }
                     *           }
                     *         }
                     *       ],
                     *       "nextAfter": "01981f2e-9e02-7c55-9f13-2b8d6a4e0c71",
                     *       "hasMore": false
                     *     }
                     */
                    "application/json": {
                        /** @description In the order in which to apply them. */
                        items: components["schemas"]["Event"][];
                        /** @description Keep it, and send it as `after` next time, also if there are no items. Null while there was no event yet. */
                        nextAfter: string | null;
                        /** @description Whether to go on at once: there may be more events now. */
                        hasMore: boolean;
                    };
                };
            };
            308: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    listSandboxMessages: {
        parameters: {
            query?: {
                /**
                 * @description E.164 (`+6591234567`) or a national number of the merchant's country. Spaces and dashes are ignored.
                 * @example +6591234571
                 */
                phone?: string;
                /** @description The `nextCursor` of the previous page. */
                after?: string;
                /** @description Maximum number of items per page. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful response */
            200: {
                headers: {
                    /** @description Identifies this request in the logs of the service. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "messageId": "01981f2e-a150-7e2f-b0c4-7d1e5f9a2b38",
                     *           "kind": "pin",
                     *           "customerId": "01981f2e-7c1a-7d3e-9b54-0c2f5a8e4d15",
                     *           "phone": "+6591234571",
                     *           "code": "4831",
                     *           "text": null,
                     *           "createdAt": "2026-11-20T11:42:07.318Z"
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": {
                        /** @description Newest first. */
                        items: {
                            /** Format: uuid */
                            messageId: string;
                            /** @enum {string} */
                            kind: "pin" | "sign_in_code" | "voucher_issued" | "value_expiring" | "top_up_receipt" | "bill_receipt";
                            /** @description Null for a number that belongs to no customer yet. */
                            customerId: string | null;
                            /** @description E.164. Null if the customer no longer has a phone number. */
                            phone: string | null;
                            /** @description The PIN or the sign-in code. Null for other messages. */
                            code: string | null;
                            /** @description The text of the message. Null for a PIN or a sign-in code. */
                            text: string | null;
                            /**
                             * Format: date-time
                             * @description RFC 3339, UTC.
                             */
                            createdAt: string;
                        }[];
                        /** @description Send it as `after` to get the next page. Null on the last page. */
                        nextCursor: string | null;
                    };
                };
            };
            308: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    advanceSandboxClock: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "seconds": 86400
                 *     }
                 */
                "application/json": components["schemas"]["AdvanceSandboxClockRequest"];
            };
        };
        responses: {
            /** @description Successful response */
            200: {
                headers: {
                    /** @description Identifies this request in the logs of the service. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "now": "2026-11-21T11:42:07.318Z"
                     *     }
                     */
                    "application/json": {
                        /**
                         * Format: date-time
                         * @description The merchant's time from now on. RFC 3339, UTC.
                         */
                        now: string;
                    };
                };
            };
            308: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    setSandboxFaults: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "next": [
                 *         "none",
                 *         "none"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["SetSandboxFaultsRequest"];
            };
        };
        responses: {
            /** @description Successful response */
            200: {
                headers: {
                    /** @description Identifies this request in the logs of the service. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "next": [
                     *         "none",
                     *         "none"
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @description What happens to the next responses, one each, in order. `lost`: the request is executed and the connection is cut. `late`: the request is executed and the response comes after 7 seconds. `service_unavailable`: the request is executed and the response is 503. `rate_limited`: the request is not executed and the response is 429. `none`: nothing. An empty list ends all faults. */
                        next: ("none" | "lost" | "late" | "rate_limited" | "service_unavailable")[];
                    };
                };
            };
            308: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    resetSandbox: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /** @example {} */
                "application/json": components["schemas"]["ResetSandboxRequest"];
            };
        };
        responses: {
            /** @description Successful response */
            200: {
                headers: {
                    /** @description Identifies this request in the logs of the service. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "now": "2026-11-20T11:42:07.318Z"
                     *     }
                     */
                    "application/json": {
                        /**
                         * Format: date-time
                         * @description The merchant's time from now on. RFC 3339, UTC.
                         */
                        now: string;
                    };
                };
            };
            308: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    onOrderPlaced: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The event's `id`: the same whenever it is sent again.
                 * @example 01981f2e-9e00-7c55-9f13-2b8d6a4e0c71
                 */
                "webhook-id": string;
                /**
                 * @description When this attempt was sent, in seconds since 1970.
                 * @example 1795347727
                 */
                "webhook-timestamp": string;
                /**
                 * @description Signatures of `id.timestamp.body`, separated by spaces.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "01981f2e-9e00-7c55-9f13-2b8d6a4e0c71",
                 *       "type": "order.placed",
                 *       "occurredAt": "2026-11-20T11:42:07.318Z",
                 *       "storeCode": "ORCHARD",
                 *       "data": {
                 *         "orderId": "01981f2e-9d40-7b1c-8e02-5a7c1f9b3d60",
                 *         "number": 418,
                 *         "qrCodeId": "01981f2e-8b20-7c4d-9a11-3f6e0d2b7c55",
                 *         "billId": "B-1093",
                 *         "table": "12",
                 *         "status": "placed",
                 *         "total": 1220,
                 *         "note": "",
                 *         "guestName": "Mei",
                 *         "lines": [
                 *           {
                 *             "plu": "N001",
                 *             "name": "Laksa",
                 *             "quantity": 1,
                 *             "unitPrice": 1040,
                 *             "amount": 1040,
                 *             "options": [
                 *               {
                 *                 "name": "Extra prawns",
                 *                 "price": 150,
                 *                 "plu": "X004"
                 *               }
                 *             ],
                 *             "note": "less spicy"
                 *           },
                 *           {
                 *             "plu": "D001",
                 *             "name": "Kopi",
                 *             "quantity": 1,
                 *             "unitPrice": 180,
                 *             "amount": 180,
                 *             "options": [],
                 *             "note": ""
                 *           }
                 *         ],
                 *         "placedAt": "2026-11-20T11:42:07.318Z",
                 *         "updatedAt": "2026-11-20T11:42:07.318Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["OrderPlacedEvent"];
            };
        };
        responses: {
            /** @description The event was received. Any other response is tried again for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onOrderUpdated: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The event's `id`: the same whenever it is sent again.
                 * @example 01981f2e-9e00-7c55-9f13-2b8d6a4e0c71
                 */
                "webhook-id": string;
                /**
                 * @description When this attempt was sent, in seconds since 1970.
                 * @example 1795347727
                 */
                "webhook-timestamp": string;
                /**
                 * @description Signatures of `id.timestamp.body`, separated by spaces.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "01981f2e-9e01-7c55-9f13-2b8d6a4e0c71",
                 *       "type": "order.updated",
                 *       "occurredAt": "2026-11-20T11:42:07.318Z",
                 *       "storeCode": "ORCHARD",
                 *       "data": {
                 *         "orderId": "01981f2e-9d40-7b1c-8e02-5a7c1f9b3d60",
                 *         "number": 418,
                 *         "qrCodeId": "01981f2e-8b20-7c4d-9a11-3f6e0d2b7c55",
                 *         "billId": "B-1093",
                 *         "table": "12",
                 *         "status": "accepted",
                 *         "total": 1220,
                 *         "note": "",
                 *         "guestName": "Mei",
                 *         "lines": [
                 *           {
                 *             "plu": "N001",
                 *             "name": "Laksa",
                 *             "quantity": 1,
                 *             "unitPrice": 1040,
                 *             "amount": 1040,
                 *             "options": [
                 *               {
                 *                 "name": "Extra prawns",
                 *                 "price": 150,
                 *                 "plu": "X004"
                 *               }
                 *             ],
                 *             "note": "less spicy"
                 *           },
                 *           {
                 *             "plu": "D001",
                 *             "name": "Kopi",
                 *             "quantity": 1,
                 *             "unitPrice": 180,
                 *             "amount": 180,
                 *             "options": [],
                 *             "note": ""
                 *           }
                 *         ],
                 *         "placedAt": "2026-11-20T11:42:07.318Z",
                 *         "updatedAt": "2026-11-20T11:42:07.318Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["OrderUpdatedEvent"];
            };
        };
        responses: {
            /** @description The event was received. Any other response is tried again for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onTransactionCompleted: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The event's `id`: the same whenever it is sent again.
                 * @example 01981f2e-9e00-7c55-9f13-2b8d6a4e0c71
                 */
                "webhook-id": string;
                /**
                 * @description When this attempt was sent, in seconds since 1970.
                 * @example 1795347727
                 */
                "webhook-timestamp": string;
                /**
                 * @description Signatures of `id.timestamp.body`, separated by spaces.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "01981f2e-9e02-7c55-9f13-2b8d6a4e0c71",
                 *       "type": "transaction.completed",
                 *       "occurredAt": "2026-11-20T11:42:07.318Z",
                 *       "storeCode": "ORCHARD",
                 *       "data": {
                 *         "transactionId": "T1-20261120-0042",
                 *         "type": "topUp",
                 *         "status": "completed",
                 *         "answer": {
                 *           "transactionId": "T1-20261120-0042",
                 *           "status": "completed",
                 *           "currency": "SGD",
                 *           "occurredAt": "2026-11-20T11:42:07.318Z",
                 *           "createdAt": "2026-11-20T11:42:07.318Z",
                 *           "customerId": "01981f2e-7c1a-7d3e-9b54-0c2f5a8e4d11",
                 *           "printText": "Kopi & Kaya\nTop-up                           $120.00\nPaid                             $100.00",
                 *           "type": "topUp",
                 *           "packageId": "01900000-0000-718d-8c6d-2b3ab42f66ec",
                 *           "principal": 10000,
                 *           "bonus": 2000,
                 *           "credited": 12000,
                 *           "storedValue": {
                 *             "balance": 12000,
                 *             "principal": 10000,
                 *             "bonus": 2000
                 *           },
                 *           "bonusExpiresAt": "2027-02-18T15:59:59.999Z"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["TransactionCompletedEvent"];
            };
        };
        responses: {
            /** @description The event was received. Any other response is tried again for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onTransactionVoided: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The event's `id`: the same whenever it is sent again.
                 * @example 01981f2e-9e00-7c55-9f13-2b8d6a4e0c71
                 */
                "webhook-id": string;
                /**
                 * @description When this attempt was sent, in seconds since 1970.
                 * @example 1795347727
                 */
                "webhook-timestamp": string;
                /**
                 * @description Signatures of `id.timestamp.body`, separated by spaces.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "01981f2e-9e03-7c55-9f13-2b8d6a4e0c71",
                 *       "type": "transaction.voided",
                 *       "occurredAt": "2026-11-20T11:42:07.318Z",
                 *       "storeCode": "ORCHARD",
                 *       "data": {
                 *         "transactionId": "T1-20261120-0042",
                 *         "type": "topUp",
                 *         "status": "voided",
                 *         "answer": {
                 *           "transactionId": "T1-20261120-0042",
                 *           "status": "completed",
                 *           "currency": "SGD",
                 *           "occurredAt": "2026-11-20T11:42:07.318Z",
                 *           "createdAt": "2026-11-20T11:42:07.318Z",
                 *           "customerId": "01981f2e-7c1a-7d3e-9b54-0c2f5a8e4d11",
                 *           "printText": "Kopi & Kaya\nTop-up                           $120.00\nPaid                             $100.00",
                 *           "type": "topUp",
                 *           "packageId": "01900000-0000-718d-8c6d-2b3ab42f66ec",
                 *           "principal": 10000,
                 *           "bonus": 2000,
                 *           "credited": 12000,
                 *           "storedValue": {
                 *             "balance": 12000,
                 *             "principal": 10000,
                 *             "bonus": 2000
                 *           },
                 *           "bonusExpiresAt": "2027-02-18T15:59:59.999Z"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["TransactionVoidedEvent"];
            };
        };
        responses: {
            /** @description The event was received. Any other response is tried again for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onCustomerEnrolled: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The event's `id`: the same whenever it is sent again.
                 * @example 01981f2e-9e00-7c55-9f13-2b8d6a4e0c71
                 */
                "webhook-id": string;
                /**
                 * @description When this attempt was sent, in seconds since 1970.
                 * @example 1795347727
                 */
                "webhook-timestamp": string;
                /**
                 * @description Signatures of `id.timestamp.body`, separated by spaces.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "01981f2e-9e04-7c55-9f13-2b8d6a4e0c71",
                 *       "type": "customer.enrolled",
                 *       "occurredAt": "2026-11-20T11:42:07.318Z",
                 *       "storeCode": null,
                 *       "data": {
                 *         "customerId": "01981f2e-7c1a-7d3e-9b54-0c2f5a8e4d11",
                 *         "givenName": "Mei Ling",
                 *         "lastName": "Tan",
                 *         "phone": "+6591234567",
                 *         "email": "mei.ling@example.com",
                 *         "birthday": "1990-05-17",
                 *         "joinedAt": "2026-11-20T11:42:07.318Z",
                 *         "hasPin": false
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["CustomerEnrolledEvent"];
            };
        };
        responses: {
            /** @description The event was received. Any other response is tried again for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onCustomerUpdated: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The event's `id`: the same whenever it is sent again.
                 * @example 01981f2e-9e00-7c55-9f13-2b8d6a4e0c71
                 */
                "webhook-id": string;
                /**
                 * @description When this attempt was sent, in seconds since 1970.
                 * @example 1795347727
                 */
                "webhook-timestamp": string;
                /**
                 * @description Signatures of `id.timestamp.body`, separated by spaces.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "01981f2e-9e05-7c55-9f13-2b8d6a4e0c71",
                 *       "type": "customer.updated",
                 *       "occurredAt": "2026-11-20T11:42:07.318Z",
                 *       "storeCode": null,
                 *       "data": {
                 *         "customerId": "01981f2e-7c1a-7d3e-9b54-0c2f5a8e4d11",
                 *         "givenName": "Mei Ling",
                 *         "lastName": "Tan",
                 *         "phone": "+6591234567",
                 *         "email": "mei.ling@example.com",
                 *         "birthday": "1990-05-17",
                 *         "joinedAt": "2025-03-01T02:15:00.000Z",
                 *         "hasPin": true
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["CustomerUpdatedEvent"];
            };
        };
        responses: {
            /** @description The event was received. Any other response is tried again for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onCustomerMerged: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The event's `id`: the same whenever it is sent again.
                 * @example 01981f2e-9e00-7c55-9f13-2b8d6a4e0c71
                 */
                "webhook-id": string;
                /**
                 * @description When this attempt was sent, in seconds since 1970.
                 * @example 1795347727
                 */
                "webhook-timestamp": string;
                /**
                 * @description Signatures of `id.timestamp.body`, separated by spaces.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "01981f2e-9e06-7c55-9f13-2b8d6a4e0c71",
                 *       "type": "customer.merged",
                 *       "occurredAt": "2026-11-20T11:42:07.318Z",
                 *       "storeCode": null,
                 *       "data": {
                 *         "customerId": "01981f2e-7c1a-7f02-8a61-4d3b9c0e5f27",
                 *         "mergedInto": "01981f2e-7c1a-7d3e-9b54-0c2f5a8e4d11"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["CustomerMergedEvent"];
            };
        };
        responses: {
            /** @description The event was received. Any other response is tried again for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onCustomerErased: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The event's `id`: the same whenever it is sent again.
                 * @example 01981f2e-9e00-7c55-9f13-2b8d6a4e0c71
                 */
                "webhook-id": string;
                /**
                 * @description When this attempt was sent, in seconds since 1970.
                 * @example 1795347727
                 */
                "webhook-timestamp": string;
                /**
                 * @description Signatures of `id.timestamp.body`, separated by spaces.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "01981f2e-9e07-7c55-9f13-2b8d6a4e0c71",
                 *       "type": "customer.erased",
                 *       "occurredAt": "2026-11-20T11:42:07.318Z",
                 *       "storeCode": null,
                 *       "data": {
                 *         "customerId": "01981f2e-7c1a-7d3e-9b54-0c2f5a8e4d11",
                 *         "erasedAt": "2026-11-20T11:42:07.318Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["CustomerErasedEvent"];
            };
        };
        responses: {
            /** @description The event was received. Any other response is tried again for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onBalanceChanged: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The event's `id`: the same whenever it is sent again.
                 * @example 01981f2e-9e00-7c55-9f13-2b8d6a4e0c71
                 */
                "webhook-id": string;
                /**
                 * @description When this attempt was sent, in seconds since 1970.
                 * @example 1795347727
                 */
                "webhook-timestamp": string;
                /**
                 * @description Signatures of `id.timestamp.body`, separated by spaces.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "01981f2e-9e08-7c55-9f13-2b8d6a4e0c71",
                 *       "type": "balance.changed",
                 *       "occurredAt": "2026-11-20T11:42:07.318Z",
                 *       "storeCode": null,
                 *       "data": {
                 *         "customerId": "01981f2e-7c1a-7d3e-9b54-0c2f5a8e4d11",
                 *         "currency": "SGD",
                 *         "storedValue": {
                 *           "balance": 10000,
                 *           "principal": 10000,
                 *           "bonus": 0
                 *         },
                 *         "points": {
                 *           "balance": 340,
                 *           "worth": 340
                 *         },
                 *         "cause": "expiry"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["BalanceChangedEvent"];
            };
        };
        responses: {
            /** @description The event was received. Any other response is tried again for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onStockOutChanged: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The event's `id`: the same whenever it is sent again.
                 * @example 01981f2e-9e00-7c55-9f13-2b8d6a4e0c71
                 */
                "webhook-id": string;
                /**
                 * @description When this attempt was sent, in seconds since 1970.
                 * @example 1795347727
                 */
                "webhook-timestamp": string;
                /**
                 * @description Signatures of `id.timestamp.body`, separated by spaces.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "01981f2e-9e09-7c55-9f13-2b8d6a4e0c71",
                 *       "type": "stock_out.changed",
                 *       "occurredAt": "2026-11-20T11:42:07.318Z",
                 *       "storeCode": "ORCHARD",
                 *       "data": {
                 *         "storeCode": "ORCHARD",
                 *         "items": [
                 *           {
                 *             "plu": "N001",
                 *             "name": "Laksa",
                 *             "known": true,
                 *             "status": "stocked_out",
                 *             "until": null
                 *           }
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["StockOutChangedEvent"];
            };
        };
        responses: {
            /** @description The event was received. Any other response is tried again for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onQrCodeOpened: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The event's `id`: the same whenever it is sent again.
                 * @example 01981f2e-9e00-7c55-9f13-2b8d6a4e0c71
                 */
                "webhook-id": string;
                /**
                 * @description When this attempt was sent, in seconds since 1970.
                 * @example 1795347727
                 */
                "webhook-timestamp": string;
                /**
                 * @description Signatures of `id.timestamp.body`, separated by spaces.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "01981f2e-9e0a-7c55-9f13-2b8d6a4e0c71",
                 *       "type": "qr_code.opened",
                 *       "occurredAt": "2026-11-20T11:42:07.318Z",
                 *       "storeCode": "ORCHARD",
                 *       "data": {
                 *         "qrCodeId": "01981f2e-8b20-7c4d-9a11-3f6e0d2b7c55",
                 *         "billId": "B-1093",
                 *         "table": "12",
                 *         "guests": 4,
                 *         "expiresAt": "2026-11-20T14:42:07.318Z",
                 *         "createdAt": "2026-11-20T10:42:07.318Z",
                 *         "status": "active",
                 *         "invalidatedAt": null
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["QrCodeOpenedEvent"];
            };
        };
        responses: {
            /** @description The event was received. Any other response is tried again for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onQrCodeSettled: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The event's `id`: the same whenever it is sent again.
                 * @example 01981f2e-9e00-7c55-9f13-2b8d6a4e0c71
                 */
                "webhook-id": string;
                /**
                 * @description When this attempt was sent, in seconds since 1970.
                 * @example 1795347727
                 */
                "webhook-timestamp": string;
                /**
                 * @description Signatures of `id.timestamp.body`, separated by spaces.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "01981f2e-9e0b-7c55-9f13-2b8d6a4e0c71",
                 *       "type": "qr_code.settled",
                 *       "occurredAt": "2026-11-20T11:42:07.318Z",
                 *       "storeCode": "ORCHARD",
                 *       "data": {
                 *         "qrCodeId": "01981f2e-8b20-7c4d-9a11-3f6e0d2b7c55",
                 *         "billId": "B-1093",
                 *         "table": "12",
                 *         "guests": 4,
                 *         "expiresAt": "2026-11-20T14:42:07.318Z",
                 *         "createdAt": "2026-11-20T10:42:07.318Z",
                 *         "status": "invalidated",
                 *         "invalidatedAt": "2026-11-20T11:42:07.318Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["QrCodeSettledEvent"];
            };
        };
        responses: {
            /** @description The event was received. Any other response is tried again for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onCounterCodeToppedUp: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The event's `id`: the same whenever it is sent again.
                 * @example 01981f2e-9e00-7c55-9f13-2b8d6a4e0c71
                 */
                "webhook-id": string;
                /**
                 * @description When this attempt was sent, in seconds since 1970.
                 * @example 1795347727
                 */
                "webhook-timestamp": string;
                /**
                 * @description Signatures of `id.timestamp.body`, separated by spaces.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "01981f2e-9e0c-7c55-9f13-2b8d6a4e0c71",
                 *       "type": "counter_code.topped_up",
                 *       "occurredAt": "2026-11-20T11:42:07.318Z",
                 *       "storeCode": "ORCHARD",
                 *       "data": {
                 *         "counterCode": "402913",
                 *         "customerId": "01981f2e-7c1a-7d3e-9b54-0c2f5a8e4d11",
                 *         "packageId": "01900000-0000-718d-8c6d-2b3ab42f66ec",
                 *         "amount": 10000,
                 *         "bonus": 2000,
                 *         "credited": 12000,
                 *         "currency": "SGD",
                 *         "transactionId": "T1-20261120-0042"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["CounterCodeToppedUpEvent"];
            };
        };
        responses: {
            /** @description The event was received. Any other response is tried again for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onBillUpdated: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The event's `id`: the same whenever it is sent again.
                 * @example 01981f2e-9e00-7c55-9f13-2b8d6a4e0c71
                 */
                "webhook-id": string;
                /**
                 * @description When this attempt was sent, in seconds since 1970.
                 * @example 1795347727
                 */
                "webhook-timestamp": string;
                /**
                 * @description Signatures of `id.timestamp.body`, separated by spaces.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "01981f2e-9e0d-7c55-9f13-2b8d6a4e0c71",
                 *       "type": "bill.updated",
                 *       "occurredAt": "2026-11-20T11:42:07.318Z",
                 *       "storeCode": "ORCHARD",
                 *       "data": {
                 *         "billId": "B-1094",
                 *         "revision": 3,
                 *         "state": "open",
                 *         "table": "12",
                 *         "currency": "SGD",
                 *         "lines": [
                 *           {
                 *             "plu": "N001",
                 *             "name": "Laksa",
                 *             "quantity": 1,
                 *             "unitPrice": 1040,
                 *             "amount": 1040
                 *           },
                 *           {
                 *             "plu": "D001",
                 *             "name": "Kopi",
                 *             "quantity": 1,
                 *             "unitPrice": 180,
                 *             "amount": 180
                 *           }
                 *         ],
                 *         "subtotal": 1220,
                 *         "discount": 0,
                 *         "serviceCharge": 122,
                 *         "tax": 121,
                 *         "rounding": 0,
                 *         "total": 1463,
                 *         "discountTransactionIds": [],
                 *         "redemptions": [
                 *           {
                 *             "transactionId": "T1-20261120-0051",
                 *             "type": "redeemStoredValue",
                 *             "customerId": "01981f2e-7c1a-7d3e-9b54-0c2f5a8e4d11",
                 *             "amount": 463,
                 *             "isInDiscount": false,
                 *             "status": "completed",
                 *             "occurredAt": "2026-11-20T11:42:07.318Z"
                 *           }
                 *         ],
                 *         "payments": [],
                 *         "redeemed": 463,
                 *         "paid": 0,
                 *         "held": 0,
                 *         "tips": 0,
                 *         "due": 1000,
                 *         "overpaid": 0,
                 *         "openedAt": "2026-11-20T11:42:07.318Z",
                 *         "updatedAt": "2026-11-20T11:42:07.318Z",
                 *         "closedAt": null
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["BillUpdatedEvent"];
            };
        };
        responses: {
            /** @description The event was received. Any other response is tried again for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onBillPaid: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The event's `id`: the same whenever it is sent again.
                 * @example 01981f2e-9e00-7c55-9f13-2b8d6a4e0c71
                 */
                "webhook-id": string;
                /**
                 * @description When this attempt was sent, in seconds since 1970.
                 * @example 1795347727
                 */
                "webhook-timestamp": string;
                /**
                 * @description Signatures of `id.timestamp.body`, separated by spaces.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "01981f2e-9e0e-7c55-9f13-2b8d6a4e0c71",
                 *       "type": "bill.paid",
                 *       "occurredAt": "2026-11-20T11:42:07.318Z",
                 *       "storeCode": "ORCHARD",
                 *       "data": {
                 *         "billId": "B-1094",
                 *         "revision": 3,
                 *         "state": "paid",
                 *         "table": "12",
                 *         "currency": "SGD",
                 *         "lines": [
                 *           {
                 *             "plu": "N001",
                 *             "name": "Laksa",
                 *             "quantity": 1,
                 *             "unitPrice": 1040,
                 *             "amount": 1040
                 *           },
                 *           {
                 *             "plu": "D001",
                 *             "name": "Kopi",
                 *             "quantity": 1,
                 *             "unitPrice": 180,
                 *             "amount": 180
                 *           }
                 *         ],
                 *         "subtotal": 1220,
                 *         "discount": 0,
                 *         "serviceCharge": 122,
                 *         "tax": 121,
                 *         "rounding": 0,
                 *         "total": 1463,
                 *         "discountTransactionIds": [],
                 *         "redemptions": [
                 *           {
                 *             "transactionId": "T1-20261120-0051",
                 *             "type": "redeemStoredValue",
                 *             "customerId": "01981f2e-7c1a-7d3e-9b54-0c2f5a8e4d11",
                 *             "amount": 463,
                 *             "isInDiscount": false,
                 *             "status": "completed",
                 *             "occurredAt": "2026-11-20T11:42:07.318Z"
                 *           }
                 *         ],
                 *         "payments": [],
                 *         "redeemed": 1463,
                 *         "paid": 0,
                 *         "held": 0,
                 *         "tips": 0,
                 *         "due": 0,
                 *         "overpaid": 0,
                 *         "openedAt": "2026-11-20T11:42:07.318Z",
                 *         "updatedAt": "2026-11-20T11:42:07.318Z",
                 *         "closedAt": null
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["BillPaidEvent"];
            };
        };
        responses: {
            /** @description The event was received. Any other response is tried again for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onBillClosed: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The event's `id`: the same whenever it is sent again.
                 * @example 01981f2e-9e00-7c55-9f13-2b8d6a4e0c71
                 */
                "webhook-id": string;
                /**
                 * @description When this attempt was sent, in seconds since 1970.
                 * @example 1795347727
                 */
                "webhook-timestamp": string;
                /**
                 * @description Signatures of `id.timestamp.body`, separated by spaces.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "01981f2e-9e0f-7c55-9f13-2b8d6a4e0c71",
                 *       "type": "bill.closed",
                 *       "occurredAt": "2026-11-20T11:42:07.318Z",
                 *       "storeCode": "ORCHARD",
                 *       "data": {
                 *         "billId": "B-1094",
                 *         "revision": 3,
                 *         "state": "closed",
                 *         "table": "12",
                 *         "currency": "SGD",
                 *         "lines": [
                 *           {
                 *             "plu": "N001",
                 *             "name": "Laksa",
                 *             "quantity": 1,
                 *             "unitPrice": 1040,
                 *             "amount": 1040
                 *           },
                 *           {
                 *             "plu": "D001",
                 *             "name": "Kopi",
                 *             "quantity": 1,
                 *             "unitPrice": 180,
                 *             "amount": 180
                 *           }
                 *         ],
                 *         "subtotal": 1220,
                 *         "discount": 0,
                 *         "serviceCharge": 122,
                 *         "tax": 121,
                 *         "rounding": 0,
                 *         "total": 1463,
                 *         "discountTransactionIds": [],
                 *         "redemptions": [
                 *           {
                 *             "transactionId": "T1-20261120-0051",
                 *             "type": "redeemStoredValue",
                 *             "customerId": "01981f2e-7c1a-7d3e-9b54-0c2f5a8e4d11",
                 *             "amount": 463,
                 *             "isInDiscount": false,
                 *             "status": "completed",
                 *             "occurredAt": "2026-11-20T11:42:07.318Z"
                 *           }
                 *         ],
                 *         "payments": [],
                 *         "redeemed": 463,
                 *         "paid": 0,
                 *         "held": 0,
                 *         "tips": 0,
                 *         "due": 0,
                 *         "overpaid": 0,
                 *         "openedAt": "2026-11-20T11:42:07.318Z",
                 *         "updatedAt": "2026-11-20T11:42:07.318Z",
                 *         "closedAt": "2026-11-20T11:42:07.318Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["BillClosedEvent"];
            };
        };
        responses: {
            /** @description The event was received. Any other response is tried again for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onBillVoided: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The event's `id`: the same whenever it is sent again.
                 * @example 01981f2e-9e00-7c55-9f13-2b8d6a4e0c71
                 */
                "webhook-id": string;
                /**
                 * @description When this attempt was sent, in seconds since 1970.
                 * @example 1795347727
                 */
                "webhook-timestamp": string;
                /**
                 * @description Signatures of `id.timestamp.body`, separated by spaces.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "01981f2e-9e10-7c55-9f13-2b8d6a4e0c71",
                 *       "type": "bill.voided",
                 *       "occurredAt": "2026-11-20T11:42:07.318Z",
                 *       "storeCode": "ORCHARD",
                 *       "data": {
                 *         "billId": "B-1094",
                 *         "revision": 3,
                 *         "state": "void",
                 *         "table": "12",
                 *         "currency": "SGD",
                 *         "lines": [
                 *           {
                 *             "plu": "N001",
                 *             "name": "Laksa",
                 *             "quantity": 1,
                 *             "unitPrice": 1040,
                 *             "amount": 1040
                 *           },
                 *           {
                 *             "plu": "D001",
                 *             "name": "Kopi",
                 *             "quantity": 1,
                 *             "unitPrice": 180,
                 *             "amount": 180
                 *           }
                 *         ],
                 *         "subtotal": 1220,
                 *         "discount": 0,
                 *         "serviceCharge": 122,
                 *         "tax": 121,
                 *         "rounding": 0,
                 *         "total": 1463,
                 *         "discountTransactionIds": [],
                 *         "redemptions": [],
                 *         "payments": [],
                 *         "redeemed": 0,
                 *         "paid": 0,
                 *         "held": 0,
                 *         "tips": 0,
                 *         "due": 0,
                 *         "overpaid": 0,
                 *         "openedAt": "2026-11-20T11:42:07.318Z",
                 *         "updatedAt": "2026-11-20T11:42:07.318Z",
                 *         "closedAt": "2026-11-20T11:42:07.318Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["BillVoidedEvent"];
            };
        };
        responses: {
            /** @description The event was received. Any other response is tried again for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onTableCalled: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The event's `id`: the same whenever it is sent again.
                 * @example 01981f2e-9e00-7c55-9f13-2b8d6a4e0c71
                 */
                "webhook-id": string;
                /**
                 * @description When this attempt was sent, in seconds since 1970.
                 * @example 1795347727
                 */
                "webhook-timestamp": string;
                /**
                 * @description Signatures of `id.timestamp.body`, separated by spaces.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "01981f2e-9e11-7c55-9f13-2b8d6a4e0c71",
                 *       "type": "table.called",
                 *       "occurredAt": "2026-11-20T11:42:07.318Z",
                 *       "storeCode": "ORCHARD",
                 *       "data": {
                 *         "callId": "01981f2e-9d7a-7e11-8b43-6c5d2a1f0e94",
                 *         "kind": "bill",
                 *         "status": "waiting",
                 *         "table": "12",
                 *         "qrCodeId": "01981f2e-8b20-7c4d-9a11-3f6e0d2b7c55",
                 *         "billId": "B-1093",
                 *         "calledAt": "2026-11-20T11:40:12.051Z",
                 *         "endedAt": null
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["TableCalledEvent"];
            };
        };
        responses: {
            /** @description The event was received. Any other response is tried again for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onTableCallAnswered: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The event's `id`: the same whenever it is sent again.
                 * @example 01981f2e-9e00-7c55-9f13-2b8d6a4e0c71
                 */
                "webhook-id": string;
                /**
                 * @description When this attempt was sent, in seconds since 1970.
                 * @example 1795347727
                 */
                "webhook-timestamp": string;
                /**
                 * @description Signatures of `id.timestamp.body`, separated by spaces.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "01981f2e-9e12-7c55-9f13-2b8d6a4e0c71",
                 *       "type": "table.call_answered",
                 *       "occurredAt": "2026-11-20T11:42:07.318Z",
                 *       "storeCode": "ORCHARD",
                 *       "data": {
                 *         "callId": "01981f2e-9d7a-7e11-8b43-6c5d2a1f0e94",
                 *         "kind": "bill",
                 *         "status": "answered",
                 *         "table": "12",
                 *         "qrCodeId": "01981f2e-8b20-7c4d-9a11-3f6e0d2b7c55",
                 *         "billId": "B-1093",
                 *         "calledAt": "2026-11-20T11:40:12.051Z",
                 *         "endedAt": "2026-11-20T11:42:07.318Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["TableCallAnsweredEvent"];
            };
        };
        responses: {
            /** @description The event was received. Any other response is tried again for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onRecordingChanged: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The event's `id`: the same whenever it is sent again.
                 * @example 01981f2e-9e00-7c55-9f13-2b8d6a4e0c71
                 */
                "webhook-id": string;
                /**
                 * @description When this attempt was sent, in seconds since 1970.
                 * @example 1795347727
                 */
                "webhook-timestamp": string;
                /**
                 * @description Signatures of `id.timestamp.body`, separated by spaces.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "01981f2e-9e13-7c55-9f13-2b8d6a4e0c71",
                 *       "type": "recording.changed",
                 *       "occurredAt": "2026-11-20T11:42:07.318Z",
                 *       "storeCode": null,
                 *       "data": {
                 *         "types": [
                 *           "order.placed",
                 *           "order.updated"
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["RecordingChangedEvent"];
            };
        };
        responses: {
            /** @description The event was received. Any other response is tried again for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
