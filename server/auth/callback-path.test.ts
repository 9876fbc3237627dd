import { expect, test } from 'vitest';
import { callbackPath } from './callback-path';

const origin = 'https://loyalty.example.com';

test.each(['/customers?search=a%20b#notes', '/', `${origin}/orders`])('%s is opened after sign-in', (requested) => {
  expect(callbackPath(requested, origin)).toBe(requested.replace(origin, ''));
});

test.each([
  ...['https://evil.example/', '//evil.example', '/\\evil.example', '\\\\evil.example', '/\t/evil.example'],
  ...['https://loyalty.example.com.evil.example/', 'https://loyalty.example.com@evil.example/'],
  ...['http://loyalty.example.com/', 'javascript:alert(1)', ' javascript:alert(1)', 'java\nscript:alert(1)'],
  ...['data:text/html,x', 'blob:https://loyalty.example.com/x', '/.//evil.example', '/api/auth/signout', '/sign-in'],
  ...['http://[', undefined, ['/orders', '/menu']],
])('instead of %j, the back office is', (requested) => {
  expect(callbackPath(requested, origin)).toBe('/home');
});
