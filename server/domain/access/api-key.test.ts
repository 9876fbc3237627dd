import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hashApiKey, keyEnvironment, newApiKey } from './api-key';

const environments = ['sandbox', 'live'] as const;
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

test('a key has 30 random characters and a checksum of 6', () => {
  for (const environment of environments) {
    expect(newApiKey(environment)).toMatch(new RegExp(`^sk_${environment}_[0-9A-Za-z]{36}$`));
  }
  expect(new Set(Array.from({ length: 1_000 }, () => newApiKey('live'))).size).toBe(1_000);
});

test('the key of a cell names it, and is valid in every cell', () => {
  const key = newApiKey('live', { cell: { name: 'sg1' } });
  expect(key).toMatch(/^sk_live_sg1_[0-9A-Za-z]{36}$/);
  expect(keyEnvironment(key)).toBe('live');
  for (const other of ['sg2', 'sg', 'sg10', '', 'SG1']) expect(keyEnvironment(key.replace('sg1', other))).toBeNull();
  expect(keyEnvironment(key.replace('sg1_', ''))).toBeNull();
});

test('a key can contain every character of the alphabet', () => {
  let next = 0;
  const keys = [0, 1, 2].map(() =>
    newApiKey('sandbox', { randomDigit: () => next++ % 62 }).slice('sk_sandbox_'.length, -6),
  );
  expect(keys.join('').slice(0, 62)).toBe(alphabet);
});

test('the checksum never changes, so that existing keys keep working', () => {
  expect(newApiKey('sandbox', { randomDigit: () => 0 })).toMatch(/^sk_sandbox_0{30}/);
  expect(newApiKey('sandbox', { randomDigit: () => 0 })).toBe(newApiKey('sandbox', { randomDigit: () => 0 }));
  expect(keyEnvironment(newApiKey('live', { randomDigit: () => 61 }))).toBe('live');
});

describe('keyEnvironment', () => {
  test('accepts its own keys', () => {
    for (const environment of environments) {
      for (let i = 0; i < 200; i++) expect(keyEnvironment(newApiKey(environment))).toBe(environment);
    }
  });

  test('rejects a key with any one character changed', () => {
    const key = newApiKey('sandbox');
    fc.assert(
      fc.property(fc.nat(key.length - 1), fc.constantFrom(...alphabet), (at, char) => {
        fc.pre(key[at] !== char);
        expect(keyEnvironment(key.slice(0, at) + char + key.slice(at + 1))).toBeNull();
      }),
      { numRuns: 2_000 },
    );
  });

  test('rejects a key with two neighbours swapped', () => {
    const key = newApiKey('sandbox');
    for (let at = 'sk_sandbox_'.length; at < key.length - 1; at++) {
      const swapped = `${key.slice(0, at)}${key[at + 1]}${key[at]}${key.slice(at + 2)}`;
      if (swapped !== key) expect(keyEnvironment(swapped)).toBeNull();
    }
  });

  test('rejects a key under the other environment’s name', () => {
    expect(keyEnvironment(newApiKey('live').replace('live', 'sandbox'))).toBeNull();
  });

  test.each(['', 'sk_sandbox_', 'sk_test_x', ` ${newApiKey('live')}`, `${newApiKey('live')}\n`])(
    'refuses %j',
    (key) => {
      expect(keyEnvironment(key)).toBeNull();
    },
  );

  test('accepts any text as input', () => {
    fc.assert(fc.property(fc.string(), (text) => keyEnvironment(text) === null));
  });
});

test('a key’s SHA-256 is stored', () => {
  expect(hashApiKey('abc').toString('hex')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});
