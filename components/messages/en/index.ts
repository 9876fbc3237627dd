import type { SentenceKey } from '@/server/domain/kernel/say';
import { sentences } from '@/server/domain/kernel/sentences';
import account from './account.json';
import apiKeys from './apiKeys.json';
import auditLog from './auditLog.json';
import automations from './automations.json';
import bills from './bills.json';
import cashUp from './cashUp.json';
import commandPalette from './commandPalette.json';
import common from './common.json';
import counter from './counter.json';
import customers from './customers.json';
import disputes from './disputes.json';
import errors from './errors.json';
import failure from './failure.json';
import figures from './figures.json';
import home from './home.json';
import mails from './mails.json';
import menu from './menu.json';
import messages from './messages.json';
import orders from './orders.json';
import packages from './packages.json';
import qrCodes from './qrCodes.json';
import reports from './reports.json';
import secondFactors from './secondFactors.json';
import settings from './settings.json';
import shell from './shell.json';
import signIn from './signIn.json';
import staff from './staff.json';
import stockOuts from './stockOuts.json';
import stores from './stores.json';
import tableFiles from './tableFiles.json';
import tables from './tables.json';
import transactions from './transactions.json';
import vouchers from './vouchers.json';
import webhooks from './webhooks.json';

export const en = {
  common,
  shell,
  home,
  settings,
  packages,
  vouchers,
  customers,
  counter,
  cashUp,
  transactions,
  disputes,
  stockOuts,
  menu,
  qrCodes,
  orders,
  bills,
  stores,
  tables,
  tableFiles,
  apiKeys,
  webhooks,
  staff,
  account,
  secondFactors,
  signIn,
  messages,
  auditLog,
  automations,
  reports,
  figures,
  failure,
  commandPalette,
  /** The API puts these fragments after a field's name. Here they are complete sentences. */
  errors: { ...sentences, ...errors } as Record<SentenceKey, string>,
  mails,
};
