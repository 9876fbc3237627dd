/** Values shared by the examples of several operations. */
export const customerId = '01981f2e-7c1a-7d3e-9b54-0c2f5a8e4d11';
export const packageId = '01981f2e-7c1a-7a52-8d10-6b1e9f3c7a20';
const time = '2026-11-20T11:42:07.318Z';

export const customer = {
  customerId,
  givenName: 'Mei Ling',
  lastName: 'Tan',
  phone: '+6591234567',
  email: 'mei.ling@example.com',
  birthday: '1990-05-17',
  joinedAt: '2025-03-01T02:15:00.000Z',
  hasPin: true,
};

export const voucher = {
  voucherCode: 'K7WQM-3RTXV',
  name: 'Birthday: 10 % off your bill',
  unit: 'BillDollarPercentage',
  value: 10,
  plus: [],
  minSpend: 2000,
  maxDiscount: 1500,
  maxUnits: 1,
  stackable: false,
  issuedAt: '2026-11-01T00:00:00.000Z',
  expiresAt: '2026-11-30T15:59:59.999Z',
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
  points: {
    balance: 340,
    worth: 340,
    pointValue: 1,
    minRedeemPoints: 100,
    expiring: [{ points: 340, expiresAt: '2027-11-30T15:59:59.999Z' }],
  },
  vouchers: [voucher],
};

export const completed = { status: 'completed', customerId, currency: 'SGD', occurredAt: time, createdAt: time };

export const topUp = {
  transactionId: 'T1-20261120-0042',
  ...completed,
  printText: 'Kopi & Kaya\nTop-up                           $120.00\nPaid                             $100.00',
  type: 'topUp',
  packageId,
  principal: 10000,
  bonus: 2000,
  credited: 12000,
  storedValue: { balance: 12000, principal: 10000, bonus: 2000 },
  bonusExpiresAt: '2027-02-18T15:59:59.999Z',
};

export const order = {
  orderId: '01981f2e-9d40-7b1c-8e02-5a7c1f9b3d60',
  number: 418,
  qrCodeId: '01981f2e-8b20-7c4d-9a11-3f6e0d2b7c55',
  billId: 'B-1093',
  table: '12',
  status: 'placed',
  total: 1220,
  note: '',
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
