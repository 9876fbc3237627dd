/** Values that the examples of several operations share, from the demo's test data. */
import { testCustomers, testOrdering, testTransactionIds } from '@/db/seed/test-data';

export const packageId = '01900000-0000-718d-8c6d-2b3ab42f66ec';
const { id: customerId, phone, email } = testCustomers.lookUp;
const time = '2026-11-20T11:42:07.318Z';

export const customer = {
  customerId,
  givenName: 'Mei Ling',
  lastName: 'Tan',
  phone,
  email,
  birthday: '1990-05-17',
  birthMonthDay: '05-17',
  tags: ['Regular'],
  joinedAt: '2025-03-01T02:15:00.000Z',
  hasPin: true,
};

export const voucher = {
  voucherCode: 'K7WQM-3RTXV',
  name: '10% off your bill',
  unit: 'BillDollarPercentage',
  value: 10,
  plus: [],
  minSpend: 0,
  maxDiscount: 1500,
  maxUnits: 1,
  stackable: false,
  issuedAt: '2026-11-01T00:00:00.000Z',
  expiresAt: null,
};

export const balances = {
  customer,
  pinRequired: false,
  currency: 'SGD',
  storedValue: {
    balance: 12000,
    principal: 10000,
    bonus: 2000,
    expiring: [{ amount: 2000, expiresAt: '2027-02-18T15:59:59.999Z' }],
  },
  topUpsInProgress: [],
  points: {
    balance: 340,
    worth: 340,
    pointValue: 1,
    minRedeemPoints: 100,
    owed: 0,
    expiring: [],
  },
  vouchers: [voucher],
};

const completed = { status: 'completed', currency: 'SGD', occurredAt: time, createdAt: time };

/** The fields in the response of every customer's transaction. */
export const completedFor = ({ id }: { id: string }) => ({ ...completed, customerId: id });

/** Every transaction needs a new id. */
export const freshId = { transactionId: 'T1-{fresh}' };

export const topUp = {
  transactionId: testTransactionIds.lookUp,
  ...completedFor(testCustomers.lookUp),
  printText:
    'Kopi & Kaya\nPaid                             $100.00\nBonus                             $20.00\nAdded to balance                 $120.00\nBalance                          $120.00',
  type: 'topUp',
  packageId,
  principal: 10000,
  bonus: 2000,
  credited: 12000,
  storedValue: { balance: 12000, principal: 10000, bonus: 2000 },
  bonusExpiresAt: '2027-02-18T15:59:59.999Z',
};

const none = { principal: 0, bonus: 0, points: 0 };

/** What voids of a top-up and of a redemption did. */
export const voidedTopUp = {
  returned: none,
  expired: none,
  taken: { principal: 10000, bonus: 2000, points: 0 },
  shortfall: 0,
  vouchers: [],
  storedValue: { balance: 0, principal: 0, bonus: 0 },
  points: { balance: 340, worth: 340 },
  printText:
    'Kopi & Kaya\nVoided                           $100.00\nStored value taken back         -$120.00\nBalance                            $0.00',
};
export const voidedRedemption = {
  returned: { principal: 1550, bonus: 0, points: 0 },
  expired: { principal: 0, bonus: 900, points: 0 },
  taken: none,
  shortfall: 0,
  vouchers: [],
  storedValue: { balance: 0, principal: 0, bonus: 0 },
  points: { balance: 340, worth: 340 },
  printText:
    'Kopi & Kaya\nVoided                            $24.50\nStored value returned             $15.50\nStored value expired               $9.00\nBalance                            $0.00',
};

export const order = {
  orderId: testOrdering.orderId,
  number: 418,
  qrCodeId: testOrdering.qrCodeId,
  billId: testOrdering.billId,
  table: testOrdering.table,
  status: 'placed',
  total: 1220,
  note: '',
  guestName: 'Mei',
  lines: [
    {
      plu: 'N001',
      name: 'Laksa',
      quantity: 1,
      unitPrice: 1040,
      amount: 1040,
      options: [{ name: 'Extra prawns', price: 150, plu: 'X004' }],
      note: 'less spicy',
    },
    { plu: 'D001', name: 'Kopi', quantity: 1, unitPrice: 180, amount: 180, options: [], note: '' },
  ],
  placedAt: time,
  updatedAt: time,
};

export const bill = {
  billId: testOrdering.openBillId,
  revision: 3,
  state: 'open',
  table: testOrdering.table,
  currency: 'SGD',
  lines: order.lines.map(({ plu, name, quantity, unitPrice, amount }) => ({ plu, name, quantity, unitPrice, amount })),
  subtotal: 1220,
  discount: 0,
  serviceCharge: 122,
  tax: 121,
  rounding: 0,
  total: 1463,
  discountTransactionIds: [],
  redemptions: [
    {
      transactionId: 'T1-20261120-0051',
      type: 'redeemStoredValue',
      customerId,
      amount: 363,
      amountNow: null,
      isInDiscount: false,
      status: 'completed',
      occurredAt: time,
    },
    // 10 % of the bill when it came to 1000.
    {
      transactionId: 'T1-20261120-0052',
      type: 'redeemVoucher',
      customerId,
      amount: 100,
      amountNow: 122,
      isInDiscount: false,
      status: 'completed',
      occurredAt: time,
    },
  ],
  payments: [],
  taxIncluded: [],
  paidAtTill: [],
  sales: [],
  sold: 0,
  redeemed: 463,
  paid: 0,
  held: 0,
  tips: 0,
  due: 1000,
  overpaid: 0,
  unsettled: 0,
  reopenedAt: null,
  settlingUntil: null,
  openedAt: time,
  updatedAt: time,
  closedAt: null,
};

export const sale = {
  transactionId: 'T1-20261120-0046',
  ...completedFor(testCustomers.points),
  printText:
    'Kopi & Kaya\nTotal                             $21.35\nPoints earned                         17\nPoints                            99,717',
  type: 'sale',
  pointsEarned: 17,
  overpaid: 0,
  points: { balance: 99717, worth: 99717 },
  vouchersIssued: [],
};

/** Sales in situations for which a till has a rule. */
export const otherSales = {
  customerUnknown: {
    summary: 'Nobody is known by the phone number, and the sale was recorded without a customer',
    answer: {
      ...sale,
      customerId: null,
      customerUnknown: true,
      printText: 'Kopi & Kaya\nTotal                             $21.35\nCustomer not found                      ',
      pointsEarned: 0,
      points: null,
    },
  },
  pointsRepaid: {
    summary: 'The customer owed 20 points after a voided sale: the 17 of this one paid for them, and 3 are left',
    answer: {
      ...sale,
      printText:
        'Kopi & Kaya\nTotal                             $21.35\nPoints earned                         17\nOwed points paid                     -17\nPoints owed                            3\nPoints                                 0',
      pointsRepaid: 17,
      pointsOwed: 3,
      points: { balance: 0, worth: 0 },
    },
  },
  billWasSettled: {
    summary: 'Other sales had all goods of the bill before: ask the cashier whether it was sold twice',
    answer: { ...sale, overpaid: 2135, billWasSettled: true },
  },
};
