/** What both the tables and the forms go by: forms run in a browser, which has no use for the tables. */

/** Languages that a menu can be read in, besides the one that the merchant writes it in. */
export const menuLanguages = ['en', 'zh', 'ja', 'ms'] as const;
export type MenuLanguage = (typeof menuLanguages)[number];

/** The fourteen that the European Union asks to declare; other countries' lists are among them. */
export const allergens = [
  'gluten',
  'crustaceans',
  'eggs',
  'fish',
  'peanuts',
  'soya',
  'milk',
  'nuts',
  'celery',
  'mustard',
  'sesame',
  'sulphites',
  'lupin',
  'molluscs',
] as const;
export type Allergen = (typeof allergens)[number];

/** The fields of a customer that a column of a file can hold. */
export const importFields = ['givenName', 'lastName', 'phone', 'email', 'birthday'] as const;
export const dateOrders = ['YMD', 'DMY', 'MDY'] as const;

/** What can be wrong with a row of a file. */
export const importProblems = [
  'givenNameMissing',
  'nameInvalid',
  'contactMissing',
  'phoneInvalid',
  'emailInvalid',
  'birthdayInvalid',
  'alreadyCustomer',
  'twiceInFile',
] as const;

/** Messages that no customer asked for. */
export const noticeKinds = ['voucher-issued', 'value-expiring', 'top-up-receipt'] as const;
