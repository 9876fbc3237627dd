import { alwaysRecorded, type EventType, eventTypes, isCustomerEvent } from '@/db/kinds/lists';
import * as examples from './examples';

const { bill, customer, order, packageId, topUp } = examples;
const { customerId } = customer;
const occurredAt = '2026-11-20T11:42:07.318Z';
const { transactionId } = topUp;
const completed = { transactionId, type: 'topUp', status: 'completed', answer: topUp };
const code = {
  qrCodeId: order.qrCodeId,
  billId: order.billId,
  table: order.table,
  guests: 4,
  expiresAt: '2026-11-20T14:42:07.318Z',
  createdAt: '2026-11-20T10:42:07.318Z',
};

const call = {
  callId: '01981f2e-9d7a-7e11-8b43-6c5d2a1f0e94',
  kind: 'bill',
  status: 'waiting',
  table: order.table,
  qrCodeId: order.qrCodeId,
  billId: order.billId,
  calledAt: '2026-11-20T11:40:12.051Z',
  endedAt: null,
};

const dispute = {
  disputeId: '01981f2e-9e2b-7c10-a4d8-5b7e1f3a6c92',
  status: 'needs_response',
  reason: 'fraudulent',
  amount: 1310,
  currency: 'SGD',
  respondBy: '2026-12-07T15:59:59.000Z',
  openedAt: occurredAt,
  closedAt: null,
  customerId: null,
  transactionId: null,
  billId: order.billId,
  paymentId: '01981f2e-9c44-7d03-b5f7-8e6a2c1d4b90',
  blocked: 0,
  spent: 0,
};

const data: Record<EventType, object> = {
  'order.placed': order,
  'order.updated': { ...order, status: 'accepted' },
  'transaction.completed': completed,
  'transaction.voided': { ...completed, status: 'voided', effect: examples.voidedTopUp },
  'customer.enrolled': { ...customer, joinedAt: occurredAt, hasPin: false },
  'customer.updated': customer,
  'customer.merged': { customerId: '01981f2e-7c1a-7f02-8a61-4d3b9c0e5f27', mergedInto: customerId },
  'customer.unmerged': { customerId: '01981f2e-7c1a-7f02-8a61-4d3b9c0e5f27', mergedInto: customerId },
  'customer.erased': { customerId, erasedAt: occurredAt },
  'balance.changed': {
    customerId,
    currency: 'SGD',
    storedValue: { balance: 10000, principal: 10000, bonus: 0 },
    points: { balance: 340, worth: 340 },
    cause: 'expiry',
  },
  'stock_out.changed': {
    storeCode: 'ORCHARD',
    items: [{ plu: 'N001', name: 'Laksa', known: true, status: 'stocked_out', until: null }],
  },
  'qr_code.opened': { ...code, status: 'active', invalidatedAt: null },
  'qr_code.settled': { ...code, status: 'invalidated', invalidatedAt: occurredAt },
  'counter_code.topped_up': {
    counterCode: '402913',
    customerId,
    packageId,
    amount: 10000,
    bonus: 2000,
    credited: 12000,
    currency: 'SGD',
    transactionId,
  },
  'bill.updated': bill,
  'bill.paid': { ...bill, state: 'paid', redeemed: 1463, due: 0 },
  'bill.closed': { ...bill, state: 'closed', due: 0, closedAt: occurredAt },
  'bill.voided': { ...bill, state: 'void', redemptions: [], redeemed: 0, due: 0, closedAt: occurredAt },
  'table.called': call,
  'table.call_answered': { ...call, status: 'answered', endedAt: occurredAt },
  'dispute.opened': dispute,
  'dispute.closed': { ...dispute, status: 'won', closedAt: '2026-12-19T08:14:31.402Z' },
  'recording.changed': { types: ['order.placed', 'order.updated'] },
};

const isOfNoStore = (type: EventType) => type === alwaysRecorded || isCustomerEvent(type);

export function exampleOfEvent(type: EventType) {
  const place = eventTypes.indexOf(type).toString(16).padStart(2, '0');
  return {
    id: `01981f2e-9e${place}-7c55-9f13-2b8d6a4e0c71`,
    type,
    occurredAt,
    storeCode: isOfNoStore(type) ? null : 'ORCHARD',
    data: data[type],
  };
}
