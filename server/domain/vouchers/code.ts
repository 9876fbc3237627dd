import { randomInt } from 'node:crypto';

/** No 0 and O, no 1, I and L: what is read out is what is typed. A prime number of them, for the check character. */
const alphabet = '23456789ABCDEFGHJKMNPQRSTUVWXYZ';
const length = 9;

/** A new voucher code as it is kept: nine random characters and a check character, without dashes. */
export function newVoucherCode(): string {
  let body = '';
  for (let i = 0; i < length; i++) body += alphabet[randomInt(alphabet.length)];
  return body + checkCharacter(body);
}

/** As it is shown: in two groups of five. */
export const formatVoucherCode = (code: string): string => `${code.slice(0, 5)}-${code.slice(5)}`;

/** The kept form of what was typed; null for what can't be a code, one wrong or two swapped characters among it. */
export function parseVoucherCode(typed: string): string | null {
  const code = typed.toUpperCase().replace(/[\s\p{Pd}]/gu, '');
  if (code.length !== length + 1 || [...code].some((char) => !alphabet.includes(char))) return null;
  return checkCharacter(code.slice(0, length)) === code[length] ? code : null;
}

/** Each place has its own weight modulo a prime, which finds every single error and every swap. */
function checkCharacter(body: string): string {
  let sum = 0;
  for (let i = 0; i < body.length; i++) sum += (i + 2) * alphabet.indexOf(body.charAt(i));
  return alphabet.charAt(sum % alphabet.length);
}
