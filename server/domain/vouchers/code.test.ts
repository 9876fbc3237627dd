import { describe, expect, test } from 'vitest';
import { formatVoucherCode, newVoucherCode, parseVoucherCode } from '../kernel/voucher-code';

const alphabet = '23456789ABCDEFGHJKMNPQRSTUVWXYZ';
const codes = Array.from({ length: 100 }, newVoucherCode);
const replaceAt = (code: string, at: number, char: string) => code.slice(0, at) + char + code.slice(at + 1);

test('it has ten characters that are hard to confuse', () => {
  for (const code of codes) expect(code).toMatch(/^[2-9A-HJKMNP-Z]{10}$/);
  expect(new Set(codes).size).toBe(codes.length);
  for (const char of '01ILO') expect(codes.join('')).not.toContain(char);
});

test('every character occurs in every place', () => {
  const many = Array.from({ length: 2_000 }, newVoucherCode);
  for (let at = 0; at < 10; at++) expect(new Set(many.map((code) => code[at])).size).toBe(alphabet.length);
});

test('it is shown in two groups of five, and found in that form', () => {
  for (const code of codes) {
    expect(formatVoucherCode(code)).toBe(`${code.slice(0, 5)}-${code.slice(5)}`);
    expect(parseVoucherCode(formatVoucherCode(code))).toBe(code);
  }
});

test.each<[string, (code: string) => string]>([
  ['lower case', (code) => code.toLowerCase()],
  ['mixed case', (code) => code.slice(0, 4).toLowerCase() + code.slice(4)],
  ['spaces anywhere', (code) => ` ${[...code].join(' ')} `],
  ['tabs and no-break spaces', (code) => `\t${code.slice(0, 5)}\u00a0${code.slice(5)}\u3000`],
  ['dashes anywhere', (code) => `-${[...code].join('-')}-`],
  ['the dashes that a phone makes of a hyphen', (code) => `${code.slice(0, 5)}–${code.slice(5, 7)}—${code.slice(7)}`],
])('look-up ignores %s', (_, typed) => {
  for (const code of codes) expect(parseVoucherCode(typed(code))).toBe(code);
});

describe('detected errors', () => {
  test('every single wrong character, in every place', () => {
    for (const code of codes) {
      for (let at = 0; at < code.length; at++) {
        for (const char of alphabet) {
          if (char === code[at]) continue;
          expect(parseVoucherCode(replaceAt(code, at, char)), `${code} at ${at}: ${char}`).toBeNull();
        }
      }
    }
  });

  test('every swap of neighbours, the check character among them', () => {
    let swaps = 0;
    for (const code of codes) {
      for (let at = 0; at + 1 < code.length; at++) {
        const [a = '', b = ''] = [code[at], code[at + 1]];
        if (a === b) continue;
        swaps += 1;
        expect(parseVoucherCode(replaceAt(replaceAt(code, at, b), at + 1, a)), `${code} at ${at}`).toBeNull();
      }
    }
    expect(swaps).toBeGreaterThan(700);
  });

  test('a character too few or too many, and invalid characters', () => {
    for (const code of codes) {
      for (const typed of [code.slice(1), code.slice(0, -1), `${code}2`, `2${code}`, '', '-', ' ']) {
        expect(parseVoucherCode(typed), typed).toBeNull();
      }
      for (const char of '01IOLl!Ä２*_.') expect(parseVoucherCode(replaceAt(code, 3, char)), char).toBeNull();
    }
  });
});
