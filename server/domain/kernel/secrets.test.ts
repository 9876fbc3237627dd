import { createCipheriv, createHmac, randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { deriveKeys, isPin, openSecret, resealPin, resealSecret, sealPin, sealSecret, tryOpenSecret } from './secrets';

const [one, two, three] = ['the first secret of tests', 'the second secret of tests', 'the third secret of tests'];
/** Before, during and after the replacement of the first secret by the second. */
const steps = [deriveKeys(one), deriveKeys(one, two), deriveKeys(two, one), deriveKeys(two)] as const;
const [before, prepared, swapped] = steps;
const stranger = deriveKeys(three);

describe('a sealed value', () => {
  const sealed = sealSecret(before.messageKey, 'message', 'a code');
  const opened = (sealedValue: Buffer) => steps.map((keys) => tryOpenSecret(keys.messageKey, 'message', sealedValue));

  test('opens with its key, whether that is current or only accepted, and with no other', () => {
    expect(opened(sealed)).toEqual(['a code', 'a code', 'a code', null]);
    expect(opened(sealSecret(swapped.messageKey, 'message', 'a code'))).toEqual([null, 'a code', 'a code', 'a code']);
    expect(tryOpenSecret(before.pinKey, 'message', sealed)).toBeNull();
    expect(tryOpenSecret(before.messageKey, 'another', sealed)).toBeNull();
    expect(() => openSecret(stranger.messageKey, 'message', sealed)).toThrow();
  });

  test('is resealed with the first key, and then needs no other; one that does not open is left alone', () => {
    const fresh = resealSecret(swapped.messageKey, 'message', sealed) as Buffer;
    expect(opened(fresh)).toEqual([null, 'a code', 'a code', 'a code']);
    expect(resealSecret(stranger.messageKey, 'message', sealed)).toBeNull();
    expect(resealSecret(swapped.messageKey, 'another', sealed)).toBeNull();
  });

  test('begins with the id of its key, which says nothing about the value', () => {
    const idOf = (value: Buffer) => value.subarray(0, 4).toString('hex');
    expect(idOf(sealSecret(prepared.messageKey, 'x', 'y'))).toBe(idOf(sealed));
    expect(idOf(sealSecret(swapped.messageKey, 'message', 'a code'))).not.toBe(idOf(sealed));
  });

  test('of a release that named no key still opens, and is resealed', () => {
    const nonce = randomBytes(12);
    const key = before.messageKey[0].bytes;
    const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from('message'));
    const old = Buffer.concat([nonce, cipher.update('a code'), cipher.final(), cipher.getAuthTag()]);
    expect(opened(old)).toEqual(['a code', 'a code', 'a code', null]);
    expect(opened(resealSecret(swapped.messageKey, 'message', old) as Buffer).at(-1)).toBe('a code');
  });
});

describe('a PIN', () => {
  const sealed = sealPin(before.pinKey, 'ann', '4831');
  const attempt = (guess: () => boolean) => {
    try {
      return guess();
    } catch {
      return 'does not open';
    }
  };
  const accepted = (pin: Buffer, guess = '4831') =>
    steps.map((keys) => attempt(() => isPin(keys.pinKey, 'ann', pin, guess)));
  const [no, yes, closed] = [false, true, 'does not open'];

  test('is right for its customer and with its key only; with another, no guess is right or wrong', () => {
    expect(accepted(sealed)).toEqual([yes, yes, yes, closed]);
    expect(accepted(sealed, '4832')).toEqual([no, no, no, closed]);
    expect(() => isPin(before.pinKey, 'bob', sealed, '4831')).toThrow('does not open');
    expect(() => isPin(before.messageKey, 'ann', sealed, '4831')).toThrow('does not open');
  });

  test('has another sealed form each time, of one length', () => {
    const again = sealPin(before.pinKey, 'ann', '4831');
    expect(again.equals(sealed)).toBe(false);
    expect(sealPin(before.pinKey, 'bob', '123456')).toHaveLength(sealed.length);
  });

  test('is resealed without being known, and then needs no other key', () => {
    const fresh = resealPin(swapped.pinKey, 'ann', sealed) as Buffer;
    expect(accepted(fresh)).toEqual([closed, yes, yes, yes]);
    expect(accepted(fresh, '4832')).toEqual([closed, no, no, no]);
    expect(resealPin(stranger.pinKey, 'ann', sealed)).toBeNull();
  });

  test('of a release that stored keyed hashes still counts, and is resealed as well', () => {
    const old = createHmac('sha256', before.pinKey[0].bytes).update('ann:4831').digest();
    expect(accepted(old)).toEqual([yes, yes, yes, no]);
    expect(accepted(old, '4832')).toEqual([no, no, no, no]);
    const fresh = resealPin(swapped.pinKey, 'ann', old) as Buffer;
    expect(accepted(fresh)).toEqual([closed, yes, yes, yes]);
    expect(accepted(fresh, '4832')).toEqual([closed, no, no, no]);
    const next = resealPin(deriveKeys(three, two).pinKey, 'ann', fresh) as Buffer;
    expect(isPin(stranger.pinKey, 'ann', next, '4831')).toBe(true);
  });
});
