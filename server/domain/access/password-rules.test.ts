import { expect, test } from 'vitest';
import { refusalOf } from '@/server/testing/people';
import { rejectGuessablePassword } from './password-rules';

const person = { email: 'adeline.koh@kopi.example', merchantNames: ['Kopi & Kaya', '寿司 さくら 大手町店'] };
const check = (password: string) => rejectGuessablePassword(password, person, 'password');
const sentenceOf = async (password: string) => (await refusalOf(check(password))).issues[0]?.sentence.key;

test.each([
  'password123',
  'Password123',
  'qwertyuiop',
  '1234567890',
  'Basketball',
  'summer2026!',
  'P-a-s-s-w-o-r-d!',
  '1111111111',
  '1212121212',
])('%s is refused as too common', async (password) => expect(await sentenceOf(password)).toBe('passwordIsCommon'));

test.each(['ADELINE.KOH@kopi.example', 'adeline.koh', 'adelinekoh2026', 'adeline-koh!'])(
  '%s is refused as the person’s e-mail address',
  async (password) => expect(await sentenceOf(password)).toBe('passwordIsEmail'),
);

test.each(['Kopi & Kaya', 'kopikaya2026', 'KOPI-KAYA!!!', '寿司さくら大手町店', '寿司 さくら 大手町店 1'])(
  '%s is refused as the name of the person’s business',
  async (password) => expect(await sentenceOf(password)).toBe('passwordIsBusiness'),
);

test.each([
  'correct horse battery',
  'four plain words here',
  'uv7KzQm2Rt',
  'Kopi, Kaya and a third',
  '朝ごはんは焼き魚と味噌汁',
])('%s is accepted', async (password) => expect(await check(password)).toBeUndefined());
