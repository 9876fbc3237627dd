/** A table with an open bill, and the phones of customers at it. */

import { withMerchant } from '@/db/driver';
import type { TestDatabase } from '@/db/testing/database';
import { authenticateKey } from '@/server/domain/access/authenticate';
import { getBill } from '@/server/domain/bills/get';
import { putBill } from '@/server/domain/bills/put';
import { openSession } from '@/server/domain/identity/session';
import type { Services } from '@/server/domain/kernel/context';
import { newId } from '@/server/domain/kernel/ids';
import { formatVoucherCode } from '@/server/domain/kernel/voucher-code';
import { generateQrCode } from '@/server/domain/qr-ordering/qr-codes';
import { createCallerFactory } from '@/server/trpc/diner/init';
import { dinerRouter } from '@/server/trpc/diner/router';
import { openPhone } from './diners';
import { createCustomer, createMerchant, type MerchantSettings, recordingEvents, testServices } from './factory';
import { createCampaign, createVoucher } from './factory-ordering';
import { callAs, createStaff } from './staff';

const createCaller = createCallerFactory(dinerRouter);

/** A bill of Laksa for 20.00 and Kopi for 5.00, with 10% service charge. */
export const laksaBill = (billId: string, revision = 1) => ({
  billId,
  revision,
  currency: 'SGD',
  table: '12',
  lines: [
    { plu: 'N001', name: 'Laksa', quantity: 2, unitPrice: 1_000, amount: 2_000 },
    { plu: 'D001', name: 'Kopi', quantity: 1, unitPrice: 500, amount: 500 },
  ],
  subtotal: 2_500,
  discount: 0,
  serviceCharge: 250,
  tax: 0,
  total: 2_750,
});

/** Opens a phone that has scanned a table's code, signed in as a customer if one is given. */
export async function phoneAt(
  services: Services,
  { merchant, token }: { merchant: { id: string }; token: string },
  customer: { id: string; phone: string } | null,
) {
  const { session } = openPhone(services, merchant.id);
  if (customer) {
    const mark = await withMerchant(services.db, merchant.id, (tx) =>
      openSession(tx, { phone: customer.phone, customerId: customer.id, now: services.systemClock.now() }),
    );
    session.write(merchant.id, mark);
  }
  return createCaller({ services, client: '192.0.2.1', tableToken: token, merchantId: null, session });
}

/** Creates a merchant whose points are worth 0.10, with its manager and the till of its first store. */
export async function createBillScene(database: TestDatabase, settings: MerchantSettings = {}) {
  const { owner, db } = database;
  const services = testServices(db);
  const merchant = await createMerchant(owner, { point_value: 10, ...recordingEvents, ...settings });
  const manager = await createStaff(owner, services, merchant.id, 'manager');
  const till = await authenticateKey(services, merchant.stores[0].key);

  /** Opens a table's code, and sends its bill unless that is null. */
  async function openTable(bill: ((billId: string) => Parameters<typeof putBill>[1]) | null = laksaBill) {
    const billId = newId();
    const { qrCodeId, url } = await generateQrCode(till, { billId, table: '12' });
    if (bill) await putBill(till, bill(billId));
    return { billId, qrCodeId, token: url.split('/q/')[1] ?? '', look: () => getBill(till, { billId }) };
  }

  /** Creates a customer with 50.00 of stored value and 100 points. */
  async function addCustomer({ pin }: { pin?: string } = {}) {
    const customer = await createCustomer(owner, merchant.id, pin === undefined ? {} : { pin });
    const adjust = (part: 'principal' | 'points', amount: number) =>
      callAs(manager).customers.adjust({
        customerId: customer.id,
        part,
        direction: 'add' as const,
        amount,
        adjustmentId: newId(),
        expiresOn: null,
        reason: 'Goodwill',
      });
    await adjust('principal', 5_000);
    await adjust('points', 100);
    return customer;
  }

  return {
    services,
    merchant,
    manager,
    till,
    openTable,
    addCustomer,
    phoneAt: ({ token }: { token: string }, customer: { id: string; phone: string } | null) =>
      phoneAt(services, { merchant, token }, customer),
    /** Gives a customer a voucher, and returns its code as shown. */
    giveVoucher: async (customer: { id: string }, campaign: Parameters<typeof createCampaign>[2] = {}) => {
      const campaignId = await createCampaign(owner, merchant.id, campaign);
      return formatVoucherCode(await createVoucher(owner, merchant.id, { campaignId, customerId: customer.id }));
    },
    held: async (customer: { id: string }) => {
      const [row] = await owner<{ value: number; points: number }[]>`
        select coalesce(sum(remaining) filter (where part <> 'points'), 0)::int as value,
          coalesce(sum(remaining) filter (where part = 'points'), 0)::int as points
        from lots where customer_id = ${customer.id}`;
      return row;
    },
  };
}
