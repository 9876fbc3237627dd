/**
 * The demo's test data, named by the API reference's examples and its guide (`docs/guides/test-data.md`). The rest of
 * the demo does not use them. Amounts in minor units.
 */

export interface TestCustomer {
  id: string;
  givenName: string;
  lastName: string;
  phone: string;
  email: string;
  birthday?: string;
  pin?: string;
  isBlocked?: boolean;
  /** The least stored value and points that the customer has after each start and reset. */
  principal?: number;
  points?: number;
}

const person = (n: number, name: string, rest: Partial<TestCustomer> = {}): TestCustomer => {
  const [givenName = '', lastName = ''] = name.split('|');
  return {
    id: `01981f2e-7c1a-7d3e-9b54-0c2f5a8e4d${10 + n}`,
    givenName,
    lastName,
    phone: `+65912345${66 + n}`,
    email: `${givenName.toLowerCase().replaceAll(' ', '.')}@example.com`,
    ...rest,
  };
};

export const testCustomers = {
  lookUp: person(1, 'Mei Ling|Tan', { birthday: '1990-05-17', pin: '4831', points: 340 }),
  topUp: person(2, 'Wei Jie|Lim'),
  redeem: person(3, 'Nurul|Rahman', { pin: '4831', principal: 1_000_000 }),
  points: person(4, 'Aravind|Nair', { pin: '4831', points: 100_000 }),
  forgetPin: person(5, 'Hui Min|Goh'),
  pin: person(6, 'Priya|Pillai', { pin: '4831', principal: 10_000, points: 1_000 }),
  blocked: person(7, 'Farid|Chua', { isBlocked: true, principal: 5_000 }),
  full: person(8, 'Grace|Koh', { principal: 1_990_000 }),
  voids: person(9, 'Jun Hao|Wong'),
} as const satisfies Record<string, TestCustomer>;

/** Vouchers of the first test customer, by campaign name. Codes are without dashes. */
export const testVouchers = [
  { voucherCode: 'K7WQM3RTXV', campaign: '10% off your bill' },
  { voucherCode: 'TEST5DFF2S', campaign: '$5 off your bill' },
  { voucherCode: 'DRNK42PQRT', campaign: '$1 off any drink' },
  { voucherCode: 'SWEET5678C', campaign: 'Half-price dessert' },
  { voucherCode: 'TEST2EXPDV', campaign: '$5 off your bill', isExpired: true },
  { voucherCode: 'TEST2USED7', campaign: '10% off your bill', isUsed: true },
];

/** All at the store `ORCHARD`. */
export const testOrdering = {
  storeCode: 'ORCHARD',
  qrCodeId: '01981f2e-8b20-7c4d-9a11-3f6e0d2b7c55',
  billId: 'B-1093',
  openBillId: 'B-1094',
  mistakenBillId: 'B-1095',
  paidBillId: 'B-1096',
  paymentId: '01981f2e-a1c0-7d3e-9b44-6c8d2f0a4e71',
  table: '12',
  guests: 4,
  orderId: '01981f2e-9d40-7b1c-8e02-5a7c1f9b3d60',
  lines: [
    { plu: 'N001', name: 'Laksa', quantity: 1, unitPrice: 890, note: 'less spicy' },
    { plu: 'D001', name: 'Kopi', quantity: 1, unitPrice: 180, note: '' },
  ],
};

/** Open for as long as the demo runs. */
export const testCounterCode = '402913';

export const testTransactionIds = {
  lookUp: 'T1-20261120-0042',
  /** A top-up, and a redemption that spends from it. */
  voids: ['T1-20261120-0048', 'T1-20261120-0049'],
  usedVoucher: 'T1-20261120-0050',
} as const;
