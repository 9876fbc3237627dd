import { expect, test } from 'vitest';
import { openApiDocument } from '@/server/rest/openapi';
import { withFreshIds } from './fresh-ids';
import type { OpenApiDocument } from './open-api-document';

const origin = 'https://sandbox.example.com';
const document = openApiDocument(origin) as unknown as OpenApiDocument;
const exampleOf = (path: string): object => {
  const post = document.paths[path]?.post as { requestBody: { content: Record<string, { example: object }> } };
  return post.requestBody.content['application/json']?.example ?? {};
};
const sent = (path: string, body: unknown): Record<string, unknown> => {
  const text = typeof body === 'string' ? body : JSON.stringify(body, null, 2);
  return JSON.parse(withFreshIds(document, { url: `${origin}/api/v1${path}`, body: text }).body ?? '');
};

test('an example gets a new id each time it is sent, and keeps all else', () => {
  const path = '/transactions/stored-value/top-up';
  const [first, second] = [sent(path, exampleOf(path)), sent(path, exampleOf(path))];
  expect(first.transactionId).toMatch(/^T1-[0-9a-f-]{36}$/);
  expect(second.transactionId).not.toBe(first.transactionId);
  expect({ ...first, transactionId: '' }).toEqual({ ...exampleOf(path), transactionId: '' });
  expect(sent('/customers', exampleOf('/customers')).email).toMatch(/^rachel\.[0-9a-f-]{36}@example\.com$/);
});

test('what the reader typed is sent as it is, also if it is no JSON', () => {
  const path = '/sales';
  expect(sent(path, { ...exampleOf(path), transactionId: 'mine' }).transactionId).toBe('mine');
  const broken = { url: `${origin}/api/v1${path}`, body: '{"transactionId": ' };
  expect(withFreshIds(document, { ...broken })).toEqual(broken);
  for (const url of [`${origin}/api/openapi.json`, `${origin}/api/v1/ping`]) {
    expect(withFreshIds(document, { url })).toEqual({ url });
  }
});
