/** Invalid values for each kind of field, as raw JSON: JavaScript could not represent some of them. */
export type FieldKind =
  | 'text'
  | 'textOrEmpty'
  | 'money'
  | 'flag'
  | 'object'
  | 'list'
  | 'optionalList'
  | 'id'
  | 'format'
  | 'formatOrNull';

const deep = '['.repeat(20_000) + ']'.repeat(20_000);
const notText = ['null', 'true', '0', '100', '1.5', '[100]', '["a"]', '{}', deep];
/** Invalid for every string field: PostgreSQL could not store them. */
const brokenText = [
  '""',
  '"a\\u0000b"',
  '"\\u0000"',
  '"\\ud800"',
  '"a\\udc00z"',
  '"\\ud800\\ud800"',
  '"a\\nb"',
  '" "',
  '"\\u3000"',
  '"\\u001b[2J"',
];
const blank = ['""', '" "', '"\\u3000"'];
const long = JSON.stringify('x'.repeat(256));

const badFormats = [...notText, ...brokenText, long, '"x"', '"100"', '" "', '"__proto__"'];

const badLists = ['null', 'true', '0', '1.5', '"x"', '{}', '{"0":"a","length":1}', deep];

export const badValues: Record<FieldKind, string[]> = {
  text: [...notText, ...brokenText, long],
  textOrEmpty: [...notText, ...brokenText.filter((value) => !blank.includes(value)), long],
  format: badFormats,
  formatOrNull: badFormats.filter((value) => value !== 'null'),
  id: [...notText, ...brokenText, long, '"a b"', '"a/b"', '"ä"', '"１"', '" a"', '"a "'],
  money: [
    ...['null', 'true', 'false', '"100"', '""', '"1e2"', '[100]', '[]', '{}', '1.5', '0.1', '100.000001', '1e-7'],
    ...['1e12', '100000000000', '9007199254740993', '1e400', '-1e400', '-1', '-100', '0', '-0', deep],
  ],
  flag: ['null', '"true"', '"false"', '""', '0', '1', '[]', '[true]', '{}', deep],
  object: ['null', 'true', '0', '1.5', '"x"', '""', '[]', '[{}]', '{}', '{"id":1}', deep],
  list: [...badLists, '[]'],
  optionalList: badLists,
};

interface Field {
  /** The path in `issues`. */
  path: string;
  kind: FieldKind;
}

const ofWrites: Field[] = [
  { path: 'storeCode', kind: 'text' },
  { path: 'billId', kind: 'text' },
  { path: 'staffId', kind: 'text' },
  { path: 'receiptNumber', kind: 'text' },
  { path: 'occurredAt', kind: 'format' },
];

const ofTransactions: Field[] = [
  { path: 'transactionId', kind: 'id' },
  ...ofWrites,
  { path: 'customer', kind: 'object' },
  { path: 'customer.customerId', kind: 'format' },
  { path: 'customer.phone', kind: 'text' },
  { path: 'customer.email', kind: 'format' },
];

/** Every field of every operation with a body. */
export const bodyFields: Record<string, Field[]> = {
  topUpStoredValue: [
    ...ofTransactions,
    { path: 'packageId', kind: 'format' },
    { path: 'amount', kind: 'money' },
    { path: 'counterCode', kind: 'format' },
  ],
  redeemStoredValue: [
    ...ofTransactions,
    { path: 'amount', kind: 'money' },
    { path: 'pin', kind: 'format' },
    { path: 'allowPartial', kind: 'flag' },
  ],
  cashOutStoredValue: [
    ...ofTransactions,
    { path: 'topUpTransactionId', kind: 'id' },
    { path: 'amount', kind: 'money' },
    { path: 'pin', kind: 'format' },
  ],
  voidTransactions: [
    { path: 'transactionIds', kind: 'list' },
    { path: 'transactionIds.0', kind: 'id' },
    ...ofWrites,
    { path: 'reason', kind: 'text' },
  ],
  enrolCustomer: [
    ...ofWrites,
    { path: 'givenName', kind: 'text' },
    { path: 'lastName', kind: 'textOrEmpty' },
    { path: 'phone', kind: 'text' },
    { path: 'email', kind: 'format' },
    { path: 'birthday', kind: 'format' },
    { path: 'tags', kind: 'optionalList' },
    { path: 'tags.0', kind: 'text' },
  ],
};

/** Returns `body` as JSON, with `raw` at `path`; a customer is then named by that field alone. */
export function withRaw(body: Record<string, unknown>, path: string, raw: string): string {
  const mark = '@mark@';
  const [first = '', second] = path.split('.');
  const value = second === undefined ? mark : second === '0' ? [mark] : { [second]: mark };
  return JSON.stringify({ ...body, [first]: value }).replace(`"${mark}"`, () => raw);
}
