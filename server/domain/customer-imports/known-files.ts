/**
 * Exports of other systems, recognised by their headings as a whole. Each was written from the page that it names; the
 * headings of a merchant's file may differ by version, and then the columns are guessed like those of any other file.
 */

import type { ImportField } from './schemas';

export interface KnownFile {
  name: string;
  /** The public page on this file. */
  source: string;
  /** A file with all headings of one of these lists is this system's. */
  signatures: string[][];
  /** The headings that hold a field. The first one that the file has, and that is filled, counts. */
  columns: Partial<Record<ImportField, string[]>>;
  /** Headings that a guess would misread. */
  unused?: string[];
}

export const knownFiles = {
  square: {
    name: 'Square',
    source: 'https://squareup.com/help/us/en/article/6632-import-customers-online',
    signatures: [
      ['Square Customer ID', 'First Name'],
      ['Email Subscription Status', 'First Name', 'Phone Number'],
    ],
    columns: {
      givenName: ['First Name'],
      lastName: ['Last Name', 'Surname'],
      phone: ['Phone Number'],
      email: ['Email Address'],
      birthday: ['Birthday'],
    },
  },
  toast: {
    name: 'Toast',
    source: 'https://central.toasttab.com/articles/Knowledge/Importing-Loyalty-Information',
    signatures: [['Point balance', 'Cash balance', 'Email']],
    columns: {
      givenName: ['First name', 'Full name'],
      lastName: ['Last name'],
      phone: ['Phone number', 'Phone'],
      email: ['Email'],
      birthday: ['Birthday'],
      principal: ['Cash balance'],
      points: ['Point balance'],
    },
    unused: ['Full name', 'Gift card number'],
  },
  loyverse: {
    name: 'Loyverse',
    source: 'https://help.loyverse.com/help/importing-and-exporting-customers',
    signatures: [['Customer name', 'Customer code', 'Points balance']],
    columns: {
      givenName: ['Customer name'],
      phone: ['Phone'],
      email: ['Email'],
      points: ['Points balance'],
    },
  },
  lightspeed: {
    name: 'Lightspeed',
    source:
      'https://x-series-support.lightspeedhq.com/hc/en-us/articles/25535035254427-Adjusting-customer-loyalty-balances',
    signatures: [['customer_code', 'first_name', 'loyalty_balance']],
    columns: {
      givenName: ['first_name'],
      lastName: ['last_name'],
      phone: ['mobile', 'phone'],
      email: ['email'],
      birthday: ['date_of_birth'],
      principal: ['store_credit_balance'],
    },
    // Its loyalty is money off, not points, and its account balance is what a customer owes.
    unused: ['loyalty_balance', 'account_balance', 'on_account_limit'],
  },
  shopify: {
    name: 'Shopify',
    source: 'https://help.shopify.com/en/manual/customers/import-export-customers',
    signatures: [
      ['First Name', 'Accepts Email Marketing', 'Default Address Company'],
      ['First Name', 'Accepts Marketing', 'Total Spent', 'Total Orders'],
    ],
    columns: {
      givenName: ['First Name'],
      lastName: ['Last Name'],
      phone: ['Phone'],
      email: ['Email'],
      tags: ['Tags'],
    },
    unused: ['Default Address Phone'],
  },
  odoo: {
    name: 'Odoo',
    source: 'https://www.odoo.com/documentation/17.0/applications/essentials/export_import_data.html',
    signatures: [
      ['Complete Name', 'Phone', 'Email'],
      ['Display Name', 'Phone', 'Email', 'Salesperson'],
      ['External ID', 'Name', 'Is a Company', 'Email'],
    ],
    columns: {
      givenName: ['Name', 'Complete Name', 'Display Name'],
      phone: ['Mobile', 'Phone'],
      email: ['Email'],
    },
    // What an invoiced customer owes, and may owe.
    unused: ['Total Receivable', 'Credit Limit', 'Credit'],
  },
  mailchimp: {
    name: 'Mailchimp',
    source: 'https://mailchimp.com/help/view-export-contacts/',
    signatures: [
      ['Email Address', 'MEMBER_RATING'],
      ['Email Address', 'OPTIN_TIME', 'EUID'],
    ],
    columns: {
      givenName: ['First Name', 'FNAME'],
      lastName: ['Last Name', 'LNAME'],
      phone: ['Phone Number', 'PHONE'],
      email: ['Email Address'],
      birthday: ['Birthday', 'BIRTHDAY'],
    },
  },
  google: {
    name: 'Google Contacts',
    source: 'https://support.google.com/contacts/answer/7199294',
    signatures: [
      ['First Name', 'Last Name', 'Organization Name', 'E-mail 1 - Value'],
      ['Given Name', 'Family Name', 'E-mail 1 - Value'],
      ['First Name', 'Last Name', 'Organization Name', 'Phone 1 - Value'],
      ['Given Name', 'Family Name', 'Phone 1 - Value'],
    ],
    columns: {
      givenName: ['First Name', 'Given Name'],
      lastName: ['Last Name', 'Family Name'],
      phone: ['Phone 1 - Value'],
      email: ['E-mail 1 - Value'],
      birthday: ['Birthday'],
    },
    unused: ['Name', 'File As'],
  },
} satisfies Record<string, KnownFile>;

export type KnownFileId = keyof typeof knownFiles;
