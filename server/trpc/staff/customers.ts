import { adjust } from '@/server/domain/customers/adjust';
import { blockCustomer, unblockCustomer } from '@/server/domain/customers/block';
import { editCustomer } from '@/server/domain/customers/edit';
import { enrolByHand } from '@/server/domain/customers/enrol';
import { eraseCustomer } from '@/server/domain/customers/erase';
import { resetPin } from '@/server/domain/customers/forget-pin';
import { listLedger, listLots, listSales, listVouchers } from '@/server/domain/customers/history';
import { listCustomers } from '@/server/domain/customers/list';
import { setMessagesByStaff } from '@/server/domain/customers/opt-out';
import { getCustomer } from '@/server/domain/customers/profile';
import {
  adjustInput,
  blockInput,
  editCustomerInput,
  historyInput,
  listCustomersInput,
  oneCustomerInput,
  profileInput,
  setMessagesInput,
  voucherHistoryInput,
} from '@/server/domain/customers/schemas';
import { cashierProcedure, managerProcedure, ownerProcedure, router } from './init';

export const customersRouter = router({
  list: cashierProcedure.input(listCustomersInput).query(({ ctx, input }) => listCustomers(ctx, input)),
  get: cashierProcedure.input(oneCustomerInput).query(({ ctx, input }) => getCustomer(ctx, input)),
  lots: managerProcedure.input(historyInput).query(({ ctx, input }) => listLots(ctx, input)),
  vouchers: cashierProcedure.input(voucherHistoryInput).query(({ ctx, input }) => listVouchers(ctx, input)),
  ledger: managerProcedure.input(historyInput).query(({ ctx, input }) => listLedger(ctx, input)),
  sales: managerProcedure.input(historyInput).query(({ ctx, input }) => listSales(ctx, input)),
  enrol: cashierProcedure.input(profileInput).mutation(({ ctx, input }) => enrolByHand(ctx, input)),
  edit: managerProcedure.input(editCustomerInput).mutation(({ ctx, input }) => editCustomer(ctx, input)),
  adjust: managerProcedure.input(adjustInput).mutation(({ ctx, input }) => adjust(ctx, input)),
  resetPin: cashierProcedure.input(oneCustomerInput).mutation(({ ctx, input }) => resetPin(ctx, input)),
  setMessages: cashierProcedure.input(setMessagesInput).mutation(({ ctx, input }) => setMessagesByStaff(ctx, input)),
  block: managerProcedure.input(blockInput).mutation(({ ctx, input }) => blockCustomer(ctx, input)),
  unblock: managerProcedure.input(oneCustomerInput).mutation(({ ctx, input }) => unblockCustomer(ctx, input)),
  erase: ownerProcedure.input(oneCustomerInput).mutation(({ ctx, input }) => eraseCustomer(ctx, input)),
});
