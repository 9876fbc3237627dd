import { randomInt } from 'node:crypto';

/**
 * Without 0, O, 1, I and L, which are hard to tell apart. The check character requires a prime number of characters.
 */
const alphabet = '23456789ABCDEFGHJKMNPQRSTUVWXYZ';
const length = 9;

/** Creates a voucher code in its stored form: nine random characters and a check character, without dashes. */
export function newVoucherCode(): string {
  let body = '';
  for (let i = 0; i < length; i++) body += alphabet[randomInt(alphabet.length)];
  return body + checkCharacter(body);
}

/** Formats a code in two groups of five. */
export const formatVoucherCode = (code: string): string => `${code.slice(0, 5)}-${code.slice(5)}`;

/**
 * Returns the stored form of a typed code, or null for an invalid one, such as one with a wrong or two swapped
 * characters.
 */
export function parseVoucherCode(typed: string): string | null {
  const code = typed.toUpperCase().replace(/[\s\p{Pd}]/gu, '');
  if (code.length !== length + 1 || [...code].some((char) => !alphabet.includes(char))) return null;
  return checkCharacter(code.slice(0, length)) === code[length] ? code : null;
}

/** Each place has its own weight modulo a prime, which detects every single error and every swap. */
function checkCharacter(body: string): string {
  let sum = 0;
  for (let i = 0; i < body.length; i++) sum += (i + 2) * alphabet.indexOf(body.charAt(i));
  return alphabet.charAt(sum % alphabet.length);
}
