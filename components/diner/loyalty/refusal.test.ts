/** Diners read errors in their own language at the field, never in the service's English. */
import { TRPCClientError } from '@trpc/client';
import { describe, expect, test } from 'vitest';
import { type Sentence, say } from '@/server/domain/kernel/say';
import { loyaltyWords } from '../dictionaries';
import type { DinerLanguage } from '../words';
import { readRefusal } from './refusal';
import { speechOf } from './speech';

const merchant = {
  id: '1',
  name: 'Kitchen',
  locale: 'en-SG',
  currency: 'SGD',
  timeZone: 'Asia/Singapore',
  dayStartsAt: 0,
};

/** An error as it arrives over the network. */
function refused(data: object, language: DinerLanguage = 'en') {
  const shape = {
    code: 'CONFLICT',
    httpStatus: 409,
    reason: null,
    details: {},
    issues: [],
    sentence: say('ourFault'),
    ...data,
  };
  const error = TRPCClientError.from({ error: { message: 'English of the service', code: -32_009, data: shape } });
  return readRefusal(error, speechOf(merchant, language, loyaltyWords[language]));
}

test('counts and times are in the reader’s language', () => {
  expect(refused({ reason: 'code_invalid', details: { attemptsLeft: 2 } })).toMatchObject({
    text: 'The code is incorrect. Attempts left: 2.',
    field: 'code',
  });
  expect(refused({ reason: 'code_invalid', details: { attemptsLeft: 0 } }).text).toMatch(/request a new one/);
  expect(refused({ reason: 'pin_locked', details: { retryAfterSeconds: 841 } }).text).toMatch(/in 15 minutes/);
  expect(refused({ reason: 'pin_locked', details: { retryAfterSeconds: 841 } }, 'ja').text).toMatch(/15 ?分後/);
  expect(refused({ reason: 'too_many_attempts', details: { retryAfterSeconds: 7_000 } }, 'ms').text).toMatch(/2 jam/);
});

test('codes that are used up, and a country without codes, are told from other refusals', () => {
  const usedUp = { reason: 'too_many_attempts', sentence: say('codesUsedUp'), details: { retryAfterSeconds: 7_000 } };
  expect(refused(usedUp).text).toBe(
    'No more codes can be sent right now. Please try again in 2 hours, or ask the staff.',
  );
  const issues = [{ path: 'phone', sentence: say('codeCountry') }];
  expect(refused({ reason: 'invalid_request', code: 'BAD_REQUEST', issues }, 'zh')).toMatchObject({
    text: loyaltyWords.zh.phoneCountry,
    field: 'phone',
  });
});

describe('a wrong field', () => {
  test.each(['phone', 'code', 'givenName', 'email', 'birthday', 'consent', 'pin', 'oldPin'])(
    '%s is identified',
    (path) => {
      const { text, field } = refused({ code: 'BAD_REQUEST', issues: [{ path, sentence: say('required') }] });
      expect(field).toBe(path);
      expect(text).not.toBe(loyaltyWords.en.failed);
    },
  );

  test('a PIN that is too easy and one that is malformed have different messages', () => {
    const of = (sentence: Sentence) => refused({ code: 'BAD_REQUEST', issues: [{ path: 'pin', sentence }] }).text;
    expect(of(say('pinTooEasy'))).toBe(loyaltyWords.en.pinEasy);
    expect(of(say('fourDigits'))).toBe(loyaltyWords.en.pinShape);
  });
});

test('a lost network, an expired session and a server error have different messages', () => {
  const words = loyaltyWords.zh;
  const offline = readRefusal(new TypeError('fetch failed'), speechOf(merchant, 'zh', words));
  expect(offline).toMatchObject({ text: words.offline, isSignedOut: false });
  expect(refused({ code: 'UNAUTHORIZED' }, 'zh')).toMatchObject({ text: words.signedOut, isSignedOut: true });
  expect(refused({ code: 'INTERNAL_SERVER_ERROR' }, 'zh')).toMatchObject({ text: words.failed, field: null });
});
