import { expect, test } from 'vitest';
import { dinerCookie } from './diner-cookie';

const merchantId = '01928c1e-0000-7000-8000-000000000001';
const other = '01928c1e-0000-7000-8000-000000000002';

test('over https it is bound to the host, and hidden from scripts and other sites, for ninety days', () => {
  const answer = new Headers();
  const cookie = dinerCookie(new Headers(), answer, 'https://eat.example.com');
  cookie.write(merchantId, 'token');
  cookie.clear(other);
  expect(answer.getSetCookie()).toEqual([
    `__Host-diner-${merchantId}=token; Path=/; HttpOnly; SameSite=Lax; Max-Age=7776000; Secure`,
    `__Host-diner-${other}=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0; Secure`,
  ]);
});

test('over http, as in development, it has no prefix, because browsers would reject it', () => {
  const answer = new Headers();
  dinerCookie(new Headers(), answer, 'http://localhost:3000').write(merchantId, 'token');
  expect(answer.getSetCookie()).toEqual([`diner-${merchantId}=token; Path=/; HttpOnly; SameSite=Lax; Max-Age=7776000`]);
});

test('each merchant has its own, and over https one without the prefix is ignored', () => {
  const read = (cookies: string, origin: string, id = merchantId) =>
    dinerCookie(new Headers({ cookie: cookies }), new Headers(), origin).read(id);
  const [https, http] = ['https://eat.example.com', 'http://localhost:3000'];
  const sent = `a=b; __Host-diner-${merchantId}=one; diner-${other}=two; xdiner-${merchantId}=three`;
  expect(read(sent, https)).toBe('one');
  expect(read(sent, https, other)).toBeNull();
  expect(read(sent, http, other)).toBe('two');
  expect(read(sent, http)).toBeNull();
  expect(read(`diner-${merchantId}=`, http)).toBeNull();
  expect(dinerCookie(new Headers(), new Headers(), http).read(merchantId)).toBeNull();
});
