/** Finds the columns that hold a customer's fields, by the headings. Pure. */

import type { ImportField } from './schemas';

/** A field, with the two kinds of names apart: a file can have both, and only one of them counts. */
type Meaning = Exclude<ImportField, 'givenName'> | 'firstName' | 'fullName';

interface Words {
  /** Words that name the field, the best first. */
  names: string[];
  /** Words that name it only by themselves: `Customer`, but not `Customer group`. */
  alone?: string[];
  /** Words that make a heading another thing. */
  vetoes: RegExp;
}

const ofOthers =
  'company|business|organi[sz]ation|store|shop|staff|employee|server|cashier|manager|sales(person|man)|referr|phonetic|yomi|' +
  'middle|nick|user|login|file|group|campaign|parent|spouse|partner|emergency|product|item|tier|level|plan|programme?|list|' +
  'role|pet|フリガナ|ふりがな|カナ|かな|商品|card|bank|street|road|address|city|town|country|school|event|voucher|coupon|reward|店|公司|会社|昵称|卡|カード|住所|地址';
const noContact =
  'types?|kinds?|labels?|country|codes?|status|consent|opt(ed|in|out)?|accepts?|subscri\\w+|marketing|verified|confirmed|blocked|' +
  'sent|opens?|clicks?|count|fax|emergency|next of kin|company|business|organi[sz]ation|referr\\w*|extension|ext|国家|区号|類型|类型|種別';
const noMoney =
  'points?|loyalty|stamps?|visits?|limits?|due|owe[ds]?|owing|outstanding|receivables?|payables?|debt|overdue|invoices?|unpaid|' +
  'account|total|lifetime|ytd|earned|spent|spend|spending|used|redeemed|purchases?|sales|count|dates?|expir\\w*|types?|codes?|' +
  'currency|numbers?|no|id|status|notes?|last|card|terms?|rates?|percent|max|min|积分|點數|ポイント|mata|欠|额度|額度|上限|限度|日期|到期|期限|番号|编号|編號';
const noPoints =
  'lifetime|earned|redeemed|used|spent|expir\\w*|dates?|rates?|values?|money|dollars?|per|status|last|since|tiers?|level|id|' +
  '到期|过期|期限|日期|累计消费|失効|有効';
const noExpiry =
  'cards?|licen[cs]e|passport|member(ship)?|id|visa|permit|documents?|subscription|vouchers?|coupons?|contract|insurance|warranty|' +
  'password|token|certificate|medical|consent|stored|paid|principal|卡|会员|會員|证|證|護照|护照|会員|カード|免許';

const words = (text: string) => new RegExp(`(^| )(${text})( |$)|[\\u3040-\\u9fff]*(${cjkOf(text)})`, 'u');
/** The alternatives without word boundaries, which Chinese and Japanese do not have. */
const cjkOf = (text: string) =>
  text
    .split('|')
    .filter((one) => /[\u3040-\u9fff]/u.test(one))
    .join('|') || '(?!)';

const meanings: Record<Meaning, Words> = {
  firstName: {
    names: ['first name', 'given name', 'forename', 'firstname', 'givenname', 'fname', 'nama pertama', '名字', '名'],
    vetoes: words(ofOthers),
  },
  lastName: {
    names: ['last name', 'family name', 'surname', 'lastname', 'familyname', 'lname', 'nama keluarga', '姓氏', '姓'],
    vetoes: words(ofOthers),
  },
  fullName: {
    names: [
      ...['full name', 'customer name', 'member name', 'client name', 'guest name', 'contact name', 'display name'],
      ...[
        'complete name',
        'fullname',
        'name',
        'nama penuh',
        'nama',
        '客户姓名',
        '会员姓名',
        '會員姓名',
        '姓名',
        '氏名',
        'お名前',
        '名前',
      ],
    ],
    alone: ['customer', 'member', 'guest', 'client'],
    vetoes: words(`${ofOthers}|first|given|last|family|id|code|no|number|since|type|status|notes?`),
  },
  phone: {
    names: [
      ...[
        'mobile phone',
        'mobile number',
        'mobile no',
        'cell phone',
        'cellphone',
        'mobile',
        'cell',
        'handphone',
        'hp no',
      ],
      ...[
        'whatsapp number',
        'whatsapp',
        'phone number',
        'phone no',
        'phone',
        'telephone',
        'tel no',
        'tel',
        'contact number',
      ],
      ...[
        'contact no',
        'msisdn',
        'nombor telefon',
        'no telefon',
        'telefon',
        '手机号码',
        '手机号',
        '手机',
        '手機號碼',
        '手機',
      ],
      ...['电话号码', '電話番号', '携帯番号', '携帯電話', '携帯', '电话', '電話'],
    ],
    alone: ['contact'],
    vetoes: words(noContact),
  },
  email: {
    names: [
      ...[
        'email address',
        'email id',
        'email',
        'mail address',
        'mail',
        'emel',
        '电子邮箱',
        '电子邮件',
        '邮箱',
        '电邮',
        '電郵',
      ],
      ...['電子郵件', 'メールアドレス', 'メール'],
    ],
    vetoes: words(noContact),
  },
  birthday: {
    names: [
      ...[
        'date of birth',
        'birth date',
        'birthdate',
        'date birth',
        'birthday',
        'bday',
        'dob',
        'tarikh lahir',
        'hari lahir',
      ],
      ...['出生日期', '生年月日', '誕生日', '生日'],
    ],
    vetoes: words(
      'place|country|city|month|year|gifts?|vouchers?|coupons?|rewards?|campaigns?|messages?|sent|offers?|discounts?|points?|' +
        'spouse|child|children|partner|emails?|used|redeemed|礼|禮|券|特典',
    ),
  },
  tags: {
    names: [
      ...[
        'customer tags',
        'tags',
        'tag',
        'labels',
        'label',
        'tag pelanggan',
        '客户标签',
        '会员标签',
        '标签',
        '標籤',
        'タグ',
      ],
    ],
    vetoes: words('types?|counts?|dates?|prices?|bags?|gifts?|products?|orders?|emails?|phones?|address'),
  },
  bonus: {
    names: [
      ...[
        'bonus balance',
        'bonus credit',
        'bonus',
        'promotional credit',
        'promo credit',
        'promo balance',
        'free credit',
      ],
      ...['promotional balance', '赠送金额', '赠送余额', '赠送', '贈送', 'ボーナス'],
    ],
    vetoes: words(noMoney),
  },
  principal: {
    // The heading has to say that it is money which the customer has paid in: a balance or a credit can be anything.
    names: [
      ...[
        'stored value balance',
        'stored value',
        'store credit balance',
        'store credit',
        'cash balance',
        'wallet balance',
      ],
      ...[
        'wallet',
        'prepaid balance',
        'prepaid credit',
        'prepaid',
        'top up balance',
        'paid balance',
        'paid credit',
        'principal',
      ],
      ...[
        'money balance',
        'balance money',
        'money credit',
        'credit money',
        'baki wang',
        '储值余额',
        '储值金额',
        '储值',
        '儲值',
      ],
      ...['本金', '钱包余额', '账户余额', '余额', '餘額', 'チャージ残高', 'プリペイド残高', '残高'],
    ],
    vetoes: words(noMoney),
  },
  points: {
    names: [
      ...[
        'points balance',
        'point balance',
        'loyalty points',
        'reward points',
        'rewards points',
        'bonus points',
        'available points',
      ],
      ...[
        'current points',
        'points',
        'point',
        'pts',
        'mata ganjaran',
        'mata',
        '积分余额',
        '积分',
        '積分',
        '點數',
        'ポイント残高',
        'ポイント',
      ],
    ],
    vetoes: words(noPoints),
  },
  // Only by these headings: what other systems call a voucher is seldom a campaign of this one.
  voucher: { names: [], alone: ['voucher', 'vouchers', 'voucher campaign', 'voucher name'], vetoes: words('') },
  voucherCount: { names: [], alone: ['voucher count', 'number of vouchers'], vetoes: words('') },
  voucherExpiresOn: {
    names: [],
    alone: ['voucher expires on', 'vouchers expire on', 'voucher expiry', 'voucher expiry date'],
    vetoes: words(''),
  },
  bonusExpiresOn: { names: [], alone: ['bonus expires on', 'bonus expiry date', 'bonus expiry'], vetoes: words('') },
  expiresOn: {
    names: [
      ...['points expiry date', 'points expire on', 'points expiry', 'point expiry'],
      ...[
        'points expiration date',
        'points expiration',
        'expiry date',
        'expiration date',
        'expires on',
        'expire date',
        'expires',
      ],
      ...[
        'expiry',
        'expiration',
        'valid until',
        'valid to',
        'tarikh luput',
        '积分到期',
        '到期日',
        '到期',
        '有效期',
        '有効期限',
      ],
    ],
    vetoes: words(noExpiry),
  },
};
const allMeanings = Object.keys(meanings) as Meaning[];

/** Headings of files in which a bare expiry is that of a card or a document. */
const hasDocument = words(
  'card (brand|type|number|no|holder|expiry)|cardholder|last 4|licen[cs]e( no| number| type)?|passport( no| number)?|credit card',
);
const isBareExpiry = /^(expiry|expiration|expire|expires)( date| on)?$|^valid (until|to)$/;

interface Match {
  meaning: Meaning;
  column: number;
  isExact: boolean;
  /** The length of the words found. */
  length: number;
  /** The place of the words in their list. */
  rank: number;
}

function findName(heading: string, name: string): boolean {
  return /[\u3040-\u9fff]/u.test(name) ? heading.includes(name) : ` ${heading} `.includes(` ${name} `);
}

/** What a heading says best: exactly, or else by the longest words. */
function matchHeading(heading: string, column: number): Match | null {
  const matches = allMeanings.flatMap((meaning) => {
    const { names, alone = [], vetoes } = meanings[meaning];
    const isExact = names.includes(heading) || alone.includes(heading);
    if (alone.includes(heading)) return { meaning, column, isExact, length: heading.length, rank: names.length };
    if (!isExact && vetoes.test(heading)) return [];
    const found = names.flatMap((name, rank) => (findName(heading, name) ? { name, rank } : []));
    const [best] = found.toSorted((a, b) => b.name.length - a.name.length);
    return best ? { meaning, column, isExact, length: best.name.length, rank: best.rank } : [];
  });
  const [best = null] = matches.toSorted((a, b) => Number(b.isExact) - Number(a.isExact) || b.length - a.length);
  return best;
}

/** Returns the column of each meaning. `isFilled` says whether any of the first rows has the column. */
function chooseColumns(headings: string[], isFilled: (column: number) => boolean): Map<Meaning, Match> {
  const isOfDocument = headings.some((heading) => hasDocument.test(heading));
  const matches = headings.flatMap((heading, column) =>
    isOfDocument && isBareExpiry.test(heading) ? [] : (matchHeading(heading, column) ?? []),
  );
  const better = (a: Match, b: Match) =>
    Number(b.isExact) - Number(a.isExact) ||
    Number(isFilled(b.column)) - Number(isFilled(a.column)) ||
    a.rank - b.rank ||
    a.column - b.column;
  const chosen = new Map<Meaning, Match>();
  for (const match of matches.toSorted(better)) if (!chosen.has(match.meaning)) chosen.set(match.meaning, match);
  return chosen;
}

type Columns = Partial<Record<ImportField, number>>;

/** Guesses each field's column. `headings` are plain; an empty one is not guessed. */
export function guessColumns(headings: string[], rows: string[][]): Columns {
  const chosen = chooseColumns(headings, (column) => rows.some((cells) => Boolean(cells[column])));
  const columns: Columns = {};
  for (const [meaning, { column }] of chosen) {
    if (meaning !== 'firstName' && meaning !== 'fullName' && meaning !== 'lastName') columns[meaning] = column;
  }
  const [first, full, last] = (['firstName', 'fullName', 'lastName'] as const).map((one) => chosen.get(one)?.column);
  const givenName = first ?? full;
  if (givenName !== undefined) columns.givenName = givenName;
  // `Name` beside `Surname` is a first name, unless the rows or the heading say that it is the whole one.
  const isWhole =
    first === undefined && full !== undefined && last !== undefined && isWholeName(headings, rows, { full, last });
  if (last !== undefined && !isWhole) columns.lastName = last;
  const hasExpiring = columns.bonus !== undefined || columns.points !== undefined;
  if (!hasExpiring && isBareExpiry.test(headings[columns.expiresOn ?? -1] ?? '')) delete columns.expiresOn;
  return columns;
}

function isWholeName(headings: string[], rows: string[][], { full, last }: { full: number; last: number }): boolean {
  if (/full|complete|display|penuh/.test(headings[full] ?? '')) return true;
  const pairs = rows.flatMap((cells) =>
    cells[full] && cells[last] ? [{ name: cells[full], surname: cells[last] }] : [],
  );
  const holding = pairs.filter(({ name, surname }) => name !== surname && name.includes(surname));
  return holding.length * 2 > pairs.length;
}

/** Columns that may hold money or points although no field was guessed: the merchant should look at them. */
export const isDoubtful = (heading: string): boolean =>
  words('balance|credits?|points?|loyalty|stamps?|wallet|amount|余额|餘額|残高|积分|點數|ポイント|baki').test(heading);
