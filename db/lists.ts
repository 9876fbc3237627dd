/** Lists shared by the tables and the forms: forms run in the browser, which cannot import the tables. */

/** Languages that a menu can be translated into, besides the merchant's own. */
export const menuLanguages = ['en', 'zh', 'ja', 'ms'] as const;
export type MenuLanguage = (typeof menuLanguages)[number];

/** The fourteen allergens that the European Union requires to be declared; they include other countries' lists. */
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

/** The customer fields that a column of an imported file can hold. */
export const importFields = ['givenName', 'lastName', 'phone', 'email', 'birthday'] as const;
export const dateOrders = ['YMD', 'DMY', 'MDY'] as const;

/** Problems that a row of an imported file can have. */
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

/** Messages that customers did not request. */
export const noticeKinds = ['voucher-issued', 'value-expiring', 'top-up-receipt'] as const;
