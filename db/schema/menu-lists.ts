/** What the menu's tables and its forms both go by. Forms run in a browser, which has no use for the tables. */

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
