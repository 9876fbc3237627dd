/** Bodies that are invalid as a whole: 400 with the reason, the second time as the first, and nothing changes. */
import { once } from 'node:events';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, test } from 'vitest';
import { bodyFields, withRaw } from '../bad-values';
import { expectError, stateOf, withoutRequestId } from '../expectations';
import { restApi } from '../harness';
import { createStage, operations, type Stage } from '../operations';

const api = restApi();
let stage: Stage;
const oneMiB = 1024 * 1024;

beforeAll(async () => {
  stage = await createStage(api);
});

const callOf = (operation: string) => {
  const { path, body } = operations[operation]?.(stage) ?? {};
  if (path === undefined || body === undefined) throw new Error(`${operation} has no body`);
  return { path, body };
};

type Body = RequestInit['body'];
const json = { 'content-type': 'application/json' };

const send = (path: string, body: Body, headers: Record<string, string> = json) =>
  api.send(path, { method: 'POST', headers: { ...headers, 'x-api-key': stage.key }, body: body ?? null });

/** Returns the issues. */
async function expectTwiceInvalid(path: string, body: Body, headers?: Record<string, string>) {
  const first = await send(path, body, headers);
  const { issues } = expectError(first, 400, 'invalid_request');
  const second = await send(path, body, headers);
  expect(withoutRequestId(second)).toBe(withoutRequestId(first));
  expect(second.status).toBe(400);
  return issues[0] as { path: string; message: string };
}

describe.each(Object.keys(bodyFields))('%s', (operation) => {
  test.each([
    ['nothing', '', 'the body is empty'],
    ['blanks', ' \n', 'the body is empty'],
    ['cut short', '{"transactionId": "a', 'the body is not valid JSON'],
    ['no JSON', '{transactionId: 1}', 'the body is not valid JSON'],
    ['a comma too many', '{"a": 1,}', 'the body is not valid JSON'],
    ['two documents', '{}{}', 'the body is not valid JSON'],
    ['NaN', '{"amount": NaN}', 'the body is not valid JSON'],
    ['form fields', 'amount=100', 'the body is not valid JSON'],
    ['open brackets', '['.repeat(20_000), 'the body is not valid JSON'],
    ['a list', '[]', 'the body must be a JSON object'],
    ['a list of requests', '[{}]', 'the body must be a JSON object'],
    ['null', 'null', 'the body must be a JSON object'],
    ['true', 'true', 'the body must be a JSON object'],
    ['a number', '1', 'the body must be a JSON object'],
    ['a string', '"{}"', 'the body must be a JSON object'],
    ['20,000 brackets', '['.repeat(20_000) + ']'.repeat(20_000), 'the body must be a JSON object'],
  ])('%s', async (_, body, message) => {
    const { path } = callOf(operation);
    expect(await expectTwiceInvalid(path, body)).toEqual({ path: '', message });
  });

  test('20,000 nested objects in a field that does not exist', async () => {
    const { path, body } = callOf(operation);
    const deep = '{"a":'.repeat(20_000) + 1 + '}'.repeat(20_000);
    expect((await expectTwiceInvalid(path, withRaw(body, 'deep', deep))).path).toBe('deep');
  });

  test('another content type, or none', async () => {
    const { path, body } = callOf(operation);
    const bytes = Buffer.from(JSON.stringify(body));
    const types = ['text/plain', 'application/x-www-form-urlencoded', 'text/json', 'application/jsonp', 'json', ''];
    for (const type of types) {
      const headers: Record<string, string> = type === '' ? {} : { 'content-type': type };
      const { message } = await expectTwiceInvalid(path, bytes, headers);
      expect(message).toBe('the header Content-Type must be application/json');
    }
  });

  test('bytes that are not UTF-8', async () => {
    const { path, body } = callOf(operation);
    const text = JSON.stringify(body);
    for (const bytes of [[0xff], [0xc3, 0x28], [0xed, 0xa0, 0x80], [0xc0, 0x80]]) {
      const broken = Buffer.concat([Buffer.from(`${text.slice(0, -1)},"x":"`), Buffer.from(bytes), Buffer.from('"}')]);
      expect((await expectTwiceInvalid(path, broken)).message).toBe('the body must be UTF-8, and not compressed');
    }
    const utf16 = Buffer.from(text, 'utf16le');
    expect((await expectTwiceInvalid(path, utf16)).path).toBe('');
  });

  test('__proto__, wherever it is and however it is written', async () => {
    const { path, body } = callOf(operation);
    const names = ['__proto__', '\\u005f_proto__', '__pr\\u006fto__', '__\\u0070roto__', '__pro\\u0074o\\u005F\\u005f'];
    const start = JSON.stringify(body).slice(0, -1);
    for (const name of names) {
      const bodies = [
        `${start},"${name}":{"amount":1}}`,
        `${start},"${name}":null}`,
        `${start},"customer":{"phone":"+6591234567","${name}":{"customerId":"x"}}}`,
        `${start},"transactionIds":[{"${name}":1}]}`,
        `{"${name}":${start}}}`,
      ];
      for (const raw of bodies) expect((await expectTwiceInvalid(path, raw)).path).toBe('__proto__');
    }
  });

  test('1 MiB and one byte, with or without Content-Length', async () => {
    const { path, body } = callOf(operation);
    const big = JSON.stringify(body).padEnd(oneMiB + 1, ' ');
    expect((await expectTwiceInvalid(path, big)).message).toBe('the body is larger than 1 MiB');
    const chunked = { duplex: 'half', method: 'POST', headers: { ...json, 'x-api-key': stage.key } } as const;
    const answer = await api.send(path, { ...chunked, body: new Blob([big]).stream() });
    expect(expectError(answer, 400, 'invalid_request').details).toEqual({ maxBytes: oneMiB });
  });

  test('nothing changed', async () => {
    const before = await stateOf(api, stage.merchant.id);
    const { path, body } = callOf(operation);
    await expectTwiceInvalid(path, JSON.stringify(body).slice(0, -1));
    await expectTwiceInvalid(path, JSON.stringify(body), { 'content-type': 'text/plain' });
    await expectTwiceInvalid(path, JSON.stringify(body).padEnd(oneMiB + 1, ' '));
    await expectTwiceInvalid(path, `${JSON.stringify(body).slice(0, -1)},"__proto__":{}}`);
    expect(await stateOf(api, stage.merchant.id)).toEqual(before);
  });
});

test('a body that does not arrive times out, and the error says so', async () => {
  const { path } = callOf('topUpStoredValue');
  const headers = { ...json, 'x-api-key': stage.key, 'content-length': '100' };
  const sent = request(`${api.origin}/api/v1${path}`, { method: 'POST', headers });
  sent.on('error', () => {});
  sent.write('{');
  const [answer] = await once(sent, 'response');
  const { error } = JSON.parse(await text(answer));
  expect([answer.statusCode, answer.headers['retry-after'], error.code]).toEqual([503, '1', 'service_unavailable']);
  expect(error.message).toBe('The body of the request did not arrive within 4.5 seconds. Send the same request again.');
  sent.destroy();
});

describe('valid bodies', () => {
  const topUp = () => callOf('topUpStoredValue');

  test('a body of exactly 1 MiB', async () => {
    const { path, body } = topUp();
    expect((await send(path, JSON.stringify(body).padEnd(oneMiB, ' '))).status).toBe(200);
  });

  test('a content type with parameters and in any case', async () => {
    for (const type of ['application/json; charset=utf-8', 'Application/JSON', 'application/json ;x=y']) {
      const { path, body } = topUp();
      expect((await send(path, JSON.stringify(body), { 'content-type': type })).status).toBe(200);
    }
  });

  test('a byte order mark, as .NET writes it', async () => {
    const { path, body } = topUp();
    expect((await send(path, `\uFEFF${JSON.stringify(body)}`)).status).toBe(200);
  });

  test('a text that only looks dangerous, and characters outside the BMP', async () => {
    for (const billId of ['__proto__', '\\u005f', "'; drop table customers; --", '😀 𠮷', '../../etc/passwd', '%00']) {
      const { path, body } = topUp();
      const answer = await send(path, JSON.stringify({ ...body, billId }));
      expect(answer.status, answer.text).toBe(200);
    }
  });
});
