/** The demo's two merchants, the same on every machine. Prices in minor units. */
import type { Allergen, Diet } from '../kinds/lists';
import type { merchants } from '../schema';

export interface DemoMerchant {
  id: string;
  name: string;
  currency: string;
  country: string;
  timeZone: string;
  locale: string;
  balanceLimit: number;
  tax: Pick<
    typeof merchants.$inferInsert,
    'taxName' | 'taxBasisPoints' | 'taxIncluded' | 'serviceBasisPoints' | 'serviceIncluded'
  >;
  owner: { name: string; email: string };
  /** Other staff; one person may work for several merchants. */
  staff: { role: 'owner' | 'manager' | 'cashier'; name: string; email: string }[];
  stores: { storeCode: string; name: string; address: string; phone: string }[];
  packages: DemoPackage[];
  menu: Record<string, [plu: string, name: string, price: number, description: string][]>;
  optionGroups: DemoOptionGroup[];
  /** By PLU. */
  allergens: Record<string, Allergen[]>;
  /** By diet, the PLUs. */
  diets: Partial<Record<Diet, string[]>>;
  /** By option name. */
  optionAllergens: Record<string, Allergen[]>;
  customers: { count: number; names: [given: string[], last: string[]]; phone: (index: number) => string };
}

/** Modifiers for every item of the categories, and for the listed items. */
export interface DemoOptionGroup {
  name: string;
  minimum: number;
  maximum: number;
  options: [name: string, price: number][];
  categories: string[];
  plus?: string[];
}

interface DemoPackage {
  name: string;
  amount?: number;
  bonusAmount?: number;
  minAmount?: number;
  maxAmount?: number;
  bonusBasisPoints?: number;
  bonusExpiresInDays: number | null;
  /** Null: all stores. */
  storeCodes: string[] | null;
}

const sg =
  'Mei Ling,Wei Jie,Nurul,Aravind,Xin Yi,Siti,Daniel,Hui Min,Farid,Priya,Jun Hao,Grace,Ahmad,Kavitha,Rachel,Zhi Hao,Aisyah,Benjamin,Li Ting,Ravi';
const sgLast = 'Tan,Lim,Lee,Ng,Wong,Rahman,Nair,Goh,Chua,Koh,Abdullah,Pillai,Teo,Ong,Chan';

export const demoMerchants: [DemoMerchant, DemoMerchant] = [
  {
    id: '01900000-0000-7000-8000-000000000001',
    name: 'Kopi & Kaya',
    currency: 'SGD',
    country: 'SG',
    timeZone: 'Asia/Singapore',
    locale: 'en-SG',
    balanceLimit: 2_000_000,
    tax: { taxName: 'GST', taxBasisPoints: 900, taxIncluded: false, serviceBasisPoints: 1_000, serviceIncluded: false },
    owner: { name: 'Adeline Koh', email: 'owner@kopi-kaya.example' },
    staff: [
      { role: 'manager', name: 'Rizal Hassan', email: 'manager@kopi-kaya.example' },
      { role: 'cashier', name: 'Jasmine Teo', email: 'cashier@kopi-kaya.example' },
    ],
    stores: [
      {
        storeCode: 'ORCHARD',
        name: 'Kopi & Kaya Orchard',
        address: '391 Orchard Road #B1-12, Singapore 238872',
        phone: '+65 6123 4567',
      },
      {
        storeCode: 'KATONG',
        name: 'Kopi & Kaya Katong',
        address: '112 East Coast Road #01-08, Singapore 428802',
        phone: '+65 6123 4568',
      },
    ],
    packages: [
      { name: 'Top up 100, get 120', amount: 10_000, bonusAmount: 2_000, bonusExpiresInDays: 90, storeCodes: null },
      {
        name: 'Top up any amount from 20 to 500, get 10% extra',
        minAmount: 2_000,
        maxAmount: 50_000,
        bonusBasisPoints: 1_000,
        bonusExpiresInDays: 180,
        storeCodes: null,
      },
      {
        name: 'Katong regulars: top up 50, get 58',
        amount: 5_000,
        bonusAmount: 800,
        bonusExpiresInDays: null,
        storeCodes: ['KATONG'],
      },
    ],
    menu: {
      'Toast & eggs': [
        ['T001', 'Kaya butter toast', 320, 'Charcoal-grilled, with our own pandan kaya and cold butter'],
        ['T002', 'Kaya toast set', 680, 'Toast, two soft-boiled eggs and a kopi or teh'],
        ['T003', 'French toast with kaya', 520, 'Thick-cut, fried in butter'],
        ['T004', 'Peanut butter toast', 340, 'Crunchy peanuts, a little salt'],
        ['T005', 'Soft-boiled eggs', 260, 'Two, with dark soy and white pepper'],
        ['T006', 'Ham and cheese toastie', 590, 'Melted cheddar on country white'],
        ['T007', 'Otah toast', 620, 'Spiced mackerel in a warm bun'],
      ],
      'Noodles & rice': [
        ['N001', 'Laksa', 890, 'Rice noodles in coconut broth, prawns, tau pok'],
        ['N002', 'Mee siam', 780, 'Tangy gravy, egg, tau pok'],
        ['N003', 'Nasi lemak', 850, 'Coconut rice, fried chicken wing, ikan bilis, sambal'],
        ['N004', 'Chicken rice', 820, 'Poached chicken, ginger, chilli'],
        ['N005', 'Mee rebus', 760, 'Yellow noodles in sweet potato gravy'],
        ['N006', 'Curry chicken with bread', 940, 'Slow-cooked thigh, potatoes, baguette'],
        ['N007', 'Fried bee hoon', 640, 'With cabbage, egg and sambal'],
      ],
      Drinks: [
        ['D001', 'Kopi', 180, 'Coffee with condensed milk'],
        ['D002', 'Kopi O', 160, 'Black, with sugar'],
        ['D003', 'Teh', 180, 'Tea with condensed milk'],
        ['D004', 'Teh tarik', 220, 'Pulled until it froths'],
        ['D005', 'Milo dinosaur', 380, 'Iced, with a heap of powder on top'],
        ['D006', 'Lime juice', 280, 'Calamansi, freshly pressed'],
        ['D007', 'Barley water', 240, 'Hot or iced'],
        ['D008', 'Iced lemon tea', 290, 'Brewed each morning'],
      ],
      Desserts: [
        ['S001', 'Chendol', 480, 'Shaved ice, gula melaka, coconut milk'],
        ['S002', 'Ice kachang', 460, 'Red beans, sweetcorn, rose syrup'],
        ['S003', 'Pandan chiffon cake', 350, 'By the slice'],
        ['S004', 'Pulut hitam', 420, 'Black glutinous rice, warm coconut cream'],
        ['S005', 'Ondeh-ondeh', 380, 'Five pieces, filled with gula melaka'],
      ],
    },
    optionGroups: [
      {
        name: 'Sugar',
        minimum: 0,
        maximum: 1,
        options: [
          ['Normal', 0],
          ['Less sweet', 0],
          ['No sugar', 0],
        ],
        categories: ['Drinks'],
      },
      {
        name: 'Extras',
        minimum: 0,
        maximum: 3,
        options: [
          ['Soft-boiled egg', 130],
          ['More sambal', 50],
          ['Fried chicken wing', 250],
        ],
        categories: ['Noodles & rice'],
      },
      {
        name: 'Drink of the set',
        minimum: 1,
        maximum: 1,
        options: [
          ['Kopi', 0],
          ['Teh', 0],
          ['Iced Milo', 120],
        ],
        categories: [],
        plus: ['T002'],
      },
    ],
    allergens: {
      T001: ['gluten', 'eggs', 'milk'],
      T002: ['gluten', 'eggs', 'milk', 'soya'],
      T003: ['gluten', 'eggs', 'milk'],
      T004: ['gluten', 'peanuts', 'milk'],
      T005: ['eggs', 'soya', 'gluten'],
      T006: ['gluten', 'milk'],
      T007: ['gluten', 'fish', 'crustaceans'],
      N001: ['crustaceans', 'fish', 'soya'],
      N002: ['eggs', 'soya', 'peanuts'],
      N003: ['fish', 'peanuts', 'eggs'],
      N004: ['soya', 'sesame'],
      N005: ['gluten', 'eggs', 'soya'],
      N006: ['gluten'],
      N007: ['eggs', 'soya'],
      D001: ['milk'],
      D003: ['milk'],
      D004: ['milk'],
      D005: ['milk', 'gluten'],
      S003: ['gluten', 'eggs'],
    },
    diets: {
      vegetarian: ['T001', 'T003', 'T004', 'T005', 'D001', 'D003', 'D004', 'D005', 'S003'],
      vegan: ['D002', 'D006', 'D007', 'D008', 'S001', 'S002', 'S004', 'S005'],
    },
    optionAllergens: {
      'Soft-boiled egg': ['eggs'],
      'More sambal': ['crustaceans'],
      Kopi: ['milk'],
      Teh: ['milk'],
      'Iced Milo': ['milk', 'gluten'],
    },
    customers: {
      count: 30,
      names: [sg.split(','), sgLast.split(',')],
      phone: (i) => `+659${String(i + 1_000_000).slice(-7)}`,
    },
  },
  {
    id: '01900000-0000-7000-8000-000000000002',
    name: '麺処 小春',
    currency: 'JPY',
    country: 'JP',
    timeZone: 'Asia/Tokyo',
    locale: 'ja-JP',
    balanceLimit: 100_000,
    tax: { taxName: '消費税', taxBasisPoints: 1_000, taxIncluded: true },
    owner: { name: '佐藤 春香', email: 'owner@koharu.example' },
    staff: [
      { role: 'owner', name: 'Adeline Koh', email: 'owner@kopi-kaya.example' },
      { role: 'manager', name: '高橋 健', email: 'manager@koharu.example' },
      { role: 'cashier', name: '中村 葵', email: 'cashier@koharu.example' },
    ],
    stores: [
      {
        storeCode: 'SHIBUYA',
        name: '小春 渋谷店',
        address: '東京都渋谷区道玄坂1-2-3',
        phone: '03-1234-5678',
      },
    ],
    packages: [
      {
        name: '5,000円チャージで5,500円分',
        amount: 5_000,
        bonusAmount: 500,
        bonusExpiresInDays: 180,
        storeCodes: null,
      },
    ],
    menu: {
      ラーメン: [
        ['R001', '醤油ラーメン', 900, '鶏と煮干しのスープ'],
        ['R002', '塩ラーメン', 900, '貝だしのあっさりスープ'],
        ['R003', '味噌ラーメン', 980, '三種の味噌'],
        ['R004', 'つけ麺', 1_050, '太麺、魚介スープ'],
      ],
      一品: [
        ['A001', '餃子', 480, '六個'],
        ['A002', '唐揚げ', 580, '四個'],
        ['A003', '味玉', 150, ''],
      ],
      飲み物: [
        ['B001', '生ビール', 600, ''],
        ['B002', '烏龍茶', 300, ''],
      ],
    },
    optionGroups: [
      {
        name: 'トッピング',
        minimum: 0,
        maximum: 3,
        options: [
          ['味玉', 150],
          ['チャーシュー', 300],
          ['のり', 100],
        ],
        categories: ['ラーメン'],
      },
    ],
    allergens: {
      R001: ['wheat', 'eggs', 'soya', 'chicken'],
      R002: ['wheat', 'eggs'],
      R003: ['wheat', 'eggs', 'soya', 'pork'],
      R004: ['wheat', 'mackerel', 'soya'],
      A001: ['wheat', 'sesame', 'soya', 'pork'],
      A002: ['wheat', 'soya', 'chicken'],
      A003: ['wheat', 'eggs', 'soya'],
    },
    diets: { vegan: ['B002'] },
    optionAllergens: { 味玉: ['wheat', 'eggs', 'soya'], チャーシュー: ['wheat', 'soya', 'pork'] },
    customers: {
      count: 8,
      names: ['陽菜,蓮,結衣,大翔,さくら,湊,美咲,悠真'.split(','), '佐藤,鈴木,高橋,田中,伊藤,渡辺,山本,中村'.split(',')],
      phone: (i) => `+8190${String(i + 10_000_000).slice(-8)}`,
    },
  },
];
