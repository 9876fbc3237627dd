/** What diners read of a refusal: their own words, at the field, and never the service's English. */
import { TRPCClientError } from '@trpc/client';
import { describe, expect, test } from 'vitest';
import { loyaltyWords } from '../diner/dictionaries';
import type { DinerLanguage } from '../diner/words';
import { readRefusal } from './refusal';
import { speechOf } from './speech';

const merchant = { id: '1', name: 'Kitchen', locale: 'en-SG', currency: 'SGD', timeZone: 'Asia/Singapore' };

/** As it comes over the network. */
function refused(data: object, language: DinerLanguage = 'en') {
  const shape = { code: 'CONFLICT', httpStatus: 409, reason: null, details: {}, issues: [], ...data };
  const error = TRPCClientError.from({ error: { message: 'English of the service', code: -32_009, data: shape } });
  return readRefusal(error, speechOf(merchant, language, loyaltyWords[language]));
}

test('counts and times are told in the reader’s words', () => {
  expect(refused({ reason: 'code_invalid', details: { attemptsLeft: 2 } })).toMatchObject({
    text: 'The code is incorrect. Attempts left: 2.',
    field: 'code',
  });
  expect(refused({ reason: 'code_invalid', details: { attemptsLeft: 0 } }).text).toMatch(/request a new one/);
  expect(refused({ reason: 'pin_locked', details: { retryAfterSeconds: 841 } }).text).toMatch(/in 15 minutes/);
  expect(refused({ reason: 'pin_locked', details: { retryAfterSeconds: 841 } }, 'ja').text).toMatch(/15 ?分後/);
  expect(refused({ reason: 'too_many_attempts', details: { retryAfterSeconds: 7_000 } }, 'ms').text).toMatch(/2 jam/);
});

describe('a wrong field', () => {
  test.each(['phone', 'code', 'givenName', 'email', 'birthday', 'consent', 'pin', 'oldPin'])('%s is named', (path) => {
    const { text, field } = refused({ code: 'BAD_REQUEST', issues: [{ path, message: 'is wrong' }] });
    expect(field).toBe(path);
    expect(text).not.toBe(loyaltyWords.en.failed);
  });

  test('a PIN is told whether it is too easy, or none', () => {
    const of = (message: string) => refused({ code: 'BAD_REQUEST', issues: [{ path: 'pin', message }] }).text;
    expect(of('is too easy to guess')).toBe(loyaltyWords.en.pinEasy);
    expect(of('must be exactly four digits')).toBe(loyaltyWords.en.pinShape);
  });
});

test('a lost network, a lost session and a fault of ours are told apart', () => {
  const words = loyaltyWords.zh;
  const offline = readRefusal(new TypeError('fetch failed'), speechOf(merchant, 'zh', words));
  expect(offline).toMatchObject({ text: words.offline, isSignedOut: false });
  expect(refused({ code: 'UNAUTHORIZED' }, 'zh')).toMatchObject({ text: words.signedOut, isSignedOut: true });
  expect(refused({ code: 'INTERNAL_SERVER_ERROR' }, 'zh')).toMatchObject({ text: words.failed, field: null });
});
