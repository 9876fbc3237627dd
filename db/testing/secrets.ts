/** Secrets that no log, address or row may contain, recognised by the shape that tests and the demo give them. */
import type { Sql } from '../driver';

const shapes = {
  'an API key': /\bsk_(sandbox|live)_[0-9A-Za-z]{36}\b/g,
  'a phone number': /(?<![\w.-])\+?659\d{7}(?![\w-])/g,
  // Starts at the word's first character: a photo's bytes are one long word.
  'an e-mail address': /(?<![\w.%+-])[\w.%+-]+@[\w-]*\.?example(\.com)?\b/g,
  // Quotes may be escaped, where JSON is nested in JSON.
  'a PIN or a code': /(?<!\w)(pin|newPin|currentPin|code)\\*": ?\\*"\d{4}(\d\d)?\\*"/g,
  'a password': /correct horse battery|four plain words here/g,
  'a session': /\beyJ[\w-]{10,}\./g,
  // A link's token or a diner's session: 32 bytes in base64url.
  'a token': /(?<![\w+/-])(?=[\w-]*[A-Z])(?=[\w-]*[a-z])(?=[\w-]*\d)[\w-]{43}(?![\w+/-])/g,
  "a table's address": /\/[qt]\/(?:[\w-]{22}|[\w-]{64})(?![\w-])/g,
  'a credential': /a token of tests|app secret|(sk_test|whsec)_|for tests only|a secret of tests/g,
};

/** How addresses encode these characters. */
const encoded = { '%40': '@', '%2B': '+', '%22': '"' };

/** Returns the secrets in `text` with their surroundings, URL-encoded or not. */
export function secretsIn(encodedText: string): string[] {
  const text = Object.entries(encoded).reduce((all, [code, sign]) => all.replaceAll(code, sign), encodedText);
  return Object.entries(shapes).flatMap(([what, pattern]) =>
    [...text.matchAll(pattern)].map(({ index, 0: { length } }) => {
      const around = text.slice(Math.max(0, index - 80), index + length + 20);
      return `${what} in ${JSON.stringify(around)}`;
    }),
  );
}

/** The columns whose purpose is to hold a secret or its hash. */
const homes: Record<string, string[]> = {
  'public.customers': ['phone', 'email', 'email_key'],
  'public.customer_terms': ['term'],
  'public.customer_import_rows': ['cells'],
  'public.diner_codes': ['phone'],
  'public.diner_sessions': ['phone'],
  'public.events': ['data'],
  'public.invitations': ['email'],
  'public.mails': ['recipient'],
  'public.messages': ['phone'],
  'public.rate_buckets': ['bucket'],
  'public.throttles': ['key'],
  'public.users': ['email', 'password_hash'],
};

/** Returns the secrets in all rows of a database, including the job queue, outside the columns meant for them. */
export async function secretsInRows(sql: Sql): Promise<string[]> {
  const tables = await sql<{ name: string }[]>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname in ('public', 'graphile_worker') order by 1`;
  const texts = tables.map(({ name }) => {
    const others = (homes[name] ?? []).map((column) => ` - '${column}'`).join('');
    return `select '${name} ' || (to_jsonb(t)${others})::text as row from ${name} t`;
  });
  const found: string[] = [];
  // Searched here, because PostgreSQL's regular expressions take several times as long.
  for await (const rows of sql.unsafe(texts.join(' union all ')).cursor(1_000))
    for (const { row } of rows) found.push(...secretsIn(row));
  return found;
}
