/** The guides, the errors by code and the search of the documentation. */
import { readdirSync } from 'node:fs';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { ErrorList } from '@/components/docs/error-list';
import { EventTypeList } from '@/components/docs/event-type-list';
import { FieldList } from '@/components/docs/field-list';
import { eventTypes as publicTypes } from '@/db/kinds/lists';
import { openApiDocument } from '@/server/rest/openapi';
import { errorEntries } from './error-codes';
import { commonEventFields, eventTypes } from './event-types';
import { findGuide, guides } from './guides';
import { guidesAbout, hrefOfCode } from './links';
import { findOperation, operations } from './operations';
import { knownPhrases } from './other-words';
import { samplesOf, samplesOfShell } from './samples';
import { searchDocs } from './search';
import { anchorOf, headingsOf } from './sections';

const origin = 'https://sandbox.example.com';
const deployment = { origin, apiKey: 'sk_sandbox_…' };
const shellSamplesIn = (text: string) =>
  [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code.trimEnd());

test('every file in docs/guides has its place in the navigation', () => {
  const files = readdirSync('docs/guides').map((file) => file.replace(/\.md$/, ''));
  expect(guides.map(({ name }) => name).sort()).toEqual(files.sort());
});

test('links between guides lead to a guide and a heading that exist', () => {
  const links = guides.flatMap(({ name, text }) =>
    [...text.matchAll(/\]\((?!https:)([^)]+)\)/g)].map(([, href = '']) => ({ from: name, href })),
  );
  expect(links.length).toBeGreaterThan(20);
  for (const { from, href } of links) {
    const [file = '', anchor] = href.split('#');
    const target = findGuide(file === '' ? from : file.replace(/\.md$/, ''));
    expect(target, `${from}: ${href}`).toBeDefined();
    if (anchor) expect(headingsOf(target?.text ?? '').map(anchorOf), `${from}: ${href}`).toContain(anchor);
  }
});

test('every operation that a guide names exists, and every operation is in a guide', () => {
  for (const { name, text } of guides) {
    for (const [, signature = ''] of text.matchAll(/`((?:GET|POST|PATCH) \/[^`?]+)`/g)) {
      expect(hrefOfCode.has(signature), `${name}: ${signature}`).toBe(true);
    }
  }
  const unnamed = operations.filter((operation) => guidesAbout(operation).length === 0);
  expect(unnamed.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
});

test('the list of errors has every code of the OpenAPI document, with its operations', () => {
  const codes = [...JSON.stringify(openApiDocument(origin)).matchAll(/"x-error-codes":\[([^\]]*)\]/g)].flatMap(
    ([, list = '']) => list.replaceAll('"', '').split(','),
  );
  const operationLink = (id: string) => ({ href: `/docs/reference/${id}`, title: id });
  const html = renderToStaticMarkup(ErrorList({ entries: errorEntries, operationLink }));
  expect(new Set(codes).size).toBeGreaterThan(30);
  for (const code of [...codes, 'endpoint_not_found']) expect(html).toContain(`id="${code}"`);
  const entry = errorEntries.find(({ code }) => code === 'insufficient_points');
  expect(entry).toMatchObject({ status: 402, details: ['balance', 'requested'], operationIds: ['redeemPoints'] });
});

test('every operation, and every step of a guide that is a request, has a sample in each language', () => {
  const steps = guides.flatMap(({ text }) => shellSamplesIn(text)).filter((code) => /\$origin/.test(code));
  const wholes = operations.map((operation) => samplesOf(operation, deployment));
  const all = [...wholes, ...steps.map((code) => samplesOfShell(code, deployment))];
  expect(all.length).toBeGreaterThan(50);
  for (const samples of all) {
    expect(samples?.map(({ language }) => language)).toEqual(['curl', 'typescript', 'python', 'php', 'csharp', 'java']);
    for (const { code } of samples ?? []) expect(code).not.toMatch(/[\uE000\uE001]/);
  }
  for (const { language, code } of wholes.flat()) {
    if (language !== 'curl')
      expect(code).toContain(language === 'typescript' ? `origin: '${origin}'` : `${origin}/api/v1/`);
  }
});

test('the set-up of each language has what it needs, and every value that the steps use', () => {
  const used = guides.flatMap(({ text }) => {
    const steps = shellSamplesIn(text);
    const kept = steps.flatMap((step) => /^(\w+)=\$\(curl/.exec(step)?.[1] ?? []);
    const names = steps.flatMap((step) => [...step.matchAll(/\$\{?([a-z]\w+)/g)].map(([, name]) => name as string));
    return names.filter((name) => !kept.includes(name));
  });
  const others = new Set(used.filter((name) => !['origin', 'key', 'curl'].includes(name)));
  expect([...others]).toEqual(expect.arrayContaining(['phone', 'id', 'billId', 'store', 'occurredAt']));
  const [setUp = ''] = shellSamplesIn(findGuide('first-call')?.text ?? '');
  for (const { language, code } of samplesOfShell(setUp, deployment) ?? []) {
    if (language === 'curl') continue;
    expect(code.split('\n').slice(0, 2).join(), language).toContain('Needs');
    for (const name of others) expect(code, language).toMatch(new RegExp(`^(const |var )?\\$?${name} = `, 'm'));
  }
});

test('a sample sends what the step of the guide sends', () => {
  const step = `customerId=$(curl -s "$origin/api/v1/customers/phone/\${phone/+/%2B}/balances?storeCode=KATONG" -H "x-api-key: $key" | value customerId)`;
  const written = (shell: string) =>
    Object.fromEntries(samplesOfShell(shell, deployment)?.map(({ language, code }) => [language, code]) ?? []);
  const path = '/customers/phone';
  expect(written(step)).toMatchObject({
    python: `customerId = value(call("GET", f"${path}/{quote(phone)}/balances?storeCode=KATONG"), "customerId")`,
    php: `$customerId = value(call('GET', '${path}/' . rawurlencode($phone) . '/balances?storeCode=KATONG'), 'customerId');`,
    csharp: `var customerId = Value(await Call("GET", $"${path}/{Uri.EscapeDataString(phone)}/balances?storeCode=KATONG"), "customerId");`,
    java: `var customerId = value(call("GET", "${path}/" + URLEncoder.encode(phone, StandardCharsets.UTF_8) + "/balances?storeCode=KATONG", null), "customerId");`,
  });
  expect(written(step).typescript).toMatch(
    /^const customerId = value\(show\(await client\.GET\('\/customers\/phone\/\{phone\}\/balances', \{\s+params: \{\s+path: \{\s+phone: phone\s+\},\s+query: \{\s+storeCode: "KATONG"/,
  );
  const put = written(
    `curl -X PUT "$origin/api/v1/bills/$billId" -H "x-api-key: $key" -d @- <<END\n{ "note": "$id-1" }\nEND`,
  );
  expect(put.php).toBe(`call('PUT', '/bills/' . $billId, [\n    'note' => $id . '-1',\n]);`);
  expect(put.typescript).toMatch(/note: `\$\{id\}-1`/);
  expect(samplesOfShell('billId=B-1', deployment)).toBeNull();
});

test('PHP sends each method, and an empty body as an object', () => {
  const codeOf = (id: string) => {
    const operation = findOperation(id);
    return operation ? samplesOf(operation, deployment).find(({ language }) => language === 'php')?.code : undefined;
  };
  expect(codeOf('putBill')).toContain("curl_setopt($request, CURLOPT_CUSTOMREQUEST, 'PUT');");
  expect(codeOf('closeBill')).toContain('json_encode(new stdClass())');
});

test('the reference lists nested fields, what is required, and the values of an enumeration', () => {
  const fields = findOperation('redeemVoucher')?.body ?? [];
  expect(fields.find(({ name }) => name === 'bill')).toMatchObject({ isRequired: true, type: 'object' });
  expect(fields.find(({ name }) => name === 'transactionId')?.range).toBe('1 to 64 characters, of A-Za-z0-9._:-');
  const sale = findOperation('submitSale')?.body ?? [];
  expect(sale.find(({ name }) => name === 'lines')?.range).toBe('1 to 500 items');
  expect(sale.find(({ name }) => name === 'total')?.range).toBe('0 to 99,999,999,999');
  const lines = fields.find(({ name }) => name === 'bill')?.fields.find(({ name }) => name === 'lines');
  expect(lines).toMatchObject({ type: 'list of objects', isRequired: false });
  expect(lines?.fields.map(({ name }) => name)).toEqual(['plu', 'quantity', 'unitPrice', 'amount']);
  const status = findOperation('setOrderStatus')?.body.find(({ name }) => name === 'status');
  expect(status?.values).toContain('accepted');
  const until = findOperation('listStockOuts')?.response.find(({ name }) => name === 'items')?.fields;
  expect(until?.find(({ name }) => name === 'until')?.type).toBe('time or null');
});

test('the reference lists the forms of what is one of several, each with its fields', () => {
  const answer = findOperation('getTransaction')?.response.find(({ name }) => name === 'answer');
  expect(answer?.type).toBe('one of these objects or null');
  expect(answer?.forms.map(({ name }) => name)).toEqual([
    ...['topUp', 'cashOut', 'redeemStoredValue', 'redeemVoucher', 'redeemPoints', 'sale', 'Refusal'],
  ]);
  for (const { name, fields } of answer?.forms ?? []) expect(fields.length, name).toBeGreaterThan(0);
  const items = findOperation('listEvents')?.response.find(({ name }) => name === 'items');
  expect(items?.type).toBe('list of objects');
  const merged = items?.forms.find(({ name }) => name === 'customer.merged')?.fields;
  expect(merged?.find(({ name }) => name === 'data')?.fields.map(({ name }) => name)).toEqual([
    'customerId',
    'mergedInto',
  ]);
  const html = renderToStaticMarkup(FieldList({ fields: findOperation('getTransaction')?.response ?? [] }));
  for (const word of ['redeemVoucher', 'billAmountAfter']) expect(html).toContain(`>${word}<`);
});

test('every type of event is in the reference with the fields of its data, and words in guides lead there', () => {
  const html = renderToStaticMarkup(EventTypeList({ eventTypes, commonFields: commonEventFields }));
  expect(html).toContain('Null once the customer was erased.');
  expect(commonEventFields.map(({ name }) => name)).toEqual(['id', 'occurredAt', 'storeCode']);
  expect(eventTypes.map(({ type }) => type)).toEqual([...publicTypes]);
  for (const { type, dataFields, example } of eventTypes) {
    expect(html).toContain(`id="${type}"`);
    expect(hrefOfCode.get(type)).toBe(`/docs/reference/event-types#${type}`);
    const documented = dataFields.map(({ name }) => name);
    expect(documented, type).toEqual(expect.arrayContaining(Object.keys((example as { data: object }).data)));
  }
});

test('the guide to events has a row for every type', () => {
  const rows = findGuide('events')?.text.match(/^\| `.*$/gm) ?? [];
  const named = rows.flatMap((row) => row.split('|')[1]?.match(/[\w.]+/g) ?? []);
  expect(publicTypes.filter((type) => !named.includes(type))).toEqual([]);
});

test('the reference shows the range and the default of a number', () => {
  const limit = findOperation('listEvents')?.parameters.find(({ name }) => name === 'limit');
  expect(limit?.range).toBe('1 to 100, default 100');
  expect(renderToStaticMarkup(FieldList({ fields: limit ? [limit] : [], isRequest: true }))).toContain(
    '1 to 100, default 100',
  );
});

test('excerpts show no rules of tables', () => {
  for (const query of ['parameter meaning', 'your answer', 'task operation']) {
    const excerpts = searchDocs(query).map(({ excerpt }) => excerpt.map(({ text }) => text).join(''));
    expect(excerpts.length, query).toBeGreaterThan(0);
    expect(excerpts.filter((text) => text.includes('---'))).toEqual([]);
  }
});

test.each([
  ['customer.merged', '/docs/reference/event-types#customer.merged'],
  ['retry', '/docs/retries'],
  ['tips', '/docs/questions#where-do-tips-go'],
  ['pin_locked', '/docs/errors#pin_locked'],
  ['redeem voucher', '/docs/reference/redeemVoucher'],
  ['allowPartial', '/docs/stored-value#redeem'],
  ['vouchre', '/docs/vouchers'],
  ['types=order', '/docs/events#read-them'],
  // Words of other systems.
  ['idempotency key', '/docs/retries#send-the-same-request-again'],
  ['Pagination', '/docs/formats#lists'],
  ['gift card', '/docs/stored-value'],
  ['rotate key', '/docs/keys#one-key-for-each-till'],
])('a search for “%s” has %s among its first results', (query, href) => {
  const hits = searchDocs(query);
  expect(hits.slice(0, 5).map((hit) => hit.href)).toContain(href);
  expect(hits[0]?.excerpt.map(({ text }) => text).join('').length).toBeLessThan(250);
});

test('each word of another system leads to a guide or the reference first', () => {
  for (const phrase of knownPhrases) expect(searchDocs(phrase)[0]?.href, phrase).toMatch(/^\/docs\/(?!changelog)/);
});

test.each(['', '   ', 'zzzzzz', '(*', '\\', '$'.repeat(500)])(
  'a search for “%s” finds nothing, and does not fail',
  (query) => {
    expect(searchDocs(query)).toEqual([]);
  },
);
