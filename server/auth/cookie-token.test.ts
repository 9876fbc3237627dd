/** next-auth must find its token when `cookie-token.ts` passes only the cookies. */
import { NextRequest } from 'next/server';
import { encode } from 'next-auth/jwt';
import { expect, test } from 'vitest';
import { readSessionToken, type Secrets } from './cookie-token';

const [secret, name] = ['a secret of tests', 'session'];
const jarOf = (cookies: string[]) =>
  new NextRequest('http://localhost', { headers: { cookie: cookies.join('; ') } }).cookies;
const idOf = async (cookies: string[]) => (await readSessionToken(jarOf(cookies), [secret], name))?.sub;

test('a token is read from its cookie, or from several if it is too long for one', async () => {
  const token = await encode({ token: { sub: 'ann' }, secret });
  const half = Math.ceil(token.length / 2);
  const parts = [`${name}.0=${token.slice(0, half)}`, `${name}.1=${token.slice(half)}`];
  expect([await idOf(['other=x', `${name}=${token}`]), await idOf(parts)]).toEqual(['ann', 'ann']);
});

test('a token is read with either of two secrets, while one is rotated', async () => {
  const cookie = `${name}=${await encode({ token: { sub: 'ann' }, secret })}`;
  const read = (...secrets: Secrets) => readSessionToken(jarOf([cookie]), secrets, name);
  expect((await read('the next secret', secret))?.sub).toBe('ann');
  expect((await read(secret, 'the next secret'))?.sub).toBe('ann');
  expect(await read('the next secret', 'a third')).toBeNull();
});

test('there is none without the cookie, and none made with another secret', async () => {
  const foreign = await encode({ token: { sub: 'ann' }, secret: 'another secret' });
  expect([await idOf([]), await idOf([`${name}=x`]), await idOf([`${name}=${foreign}`])]).toEqual(
    Array(3).fill(undefined),
  );
});
