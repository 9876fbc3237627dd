/** Reads a phone number as spreadsheets and address books write it. A wrong number would get another person's PIN. */

import { type CountryCode, getCountryCallingCode, getExampleNumber } from 'libphonenumber-js/max';
import examples from 'libphonenumber-js/mobile/examples';
import { toE164 } from '../identity';
import type { ImportProblem } from './schemas';

type PhoneProblem = Extract<ImportProblem, `phone${string}`>;

/** Fewer digits than these are no phone number. */
const minDigits = 5;
const minInternationalDigits = 10;

const scientific = /^(?<first>\d)(?:[.,](?<rest>\d+))?e\+?(?<exponent>\d{1,2})$/i;
/** A number of a spreadsheet. Phone numbers have points too, but no single digit behind the last one. */
const asDecimal = /^(?<whole>.*\d)[.,](?<fraction>\d)$|^(?<long>\+?\d{7,})[.,](?<rest>\d+)$/;
const usual = /^\(?\+?[\d\s().\-–‐‑/·]+$/;
const extension = /(?:ext|extn|extension|x|int|samb|durchwahl|poste|分机|分機|内線|#)\.?\s*:?\s*\d{1,6}$/iu;
const between = /\s*(?:[;|,&\n、]|:::|\/|\bor\b|\band\b|\bdan\b|\batau\b|或|又は)\s*/iu;

const digitsOf = (text: string) => text.replace(/\D/g, '');

/** Returns the number in E.164, or why there is none. Nothing but the usual separators is dropped from a number. */
export function readPhoneCell(cell: string, country: string): { phone: string } | { problem: PhoneProblem } {
  const text = cell
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .replace(/^'|^tel:/i, '')
    .trim();
  const whole = restored(text);
  if (whole === null) return { problem: 'phoneDigitsLost' };
  if (digitsOf(whole).length < minDigits) return { problem: 'phoneInvalid' };
  if (holdsSeveral(whole, country)) return { problem: 'phonesSeveral' };
  if (extension.test(whole)) return { problem: 'phoneExtension' };
  if (!usual.test(whole)) return { problem: 'phoneExtra' };
  const phone = read(whole, country);
  return phone === null ? { problem: 'phoneInvalid' } : { phone };
}

/** Undoes what a spreadsheet made of a number. Returns null if digits are gone. */
function restored(text: string): string | null {
  const { first = '', rest = '', exponent } = scientific.exec(text)?.groups ?? {};
  if (exponent !== undefined) return rest.length === Number(exponent) ? first + rest : null;
  const { whole, fraction = '', long = whole, rest: decimals = fraction } = asDecimal.exec(text)?.groups ?? {};
  if (long === undefined) return text;
  return /^0+$/.test(decimals) ? restored(long) : null;
}

function holdsSeveral(text: string, country: string): boolean {
  const parts = text.split(between).filter((part) => digitsOf(part).length >= minDigits);
  if (parts.length > 1) return true;
  const words = text.split(/\s+/);
  return words.some((_, at) => {
    const [before, after] = [words.slice(0, at).join(' '), words.slice(at).join(' ')];
    // Most splits leave too few digits on a side. An attempt to read these would cost more than all the rest of a row.
    const isNumber = (one: string) =>
      digitsOf(one).length >= minDigits && usual.test(one) && read(one, country) !== null;
    return isNumber(before) && isNumber(after);
  });
}

/** Spreadsheets take the plus of an international number for arithmetic, and drop it. */
function read(text: string, country: string): string | null {
  const phone = toE164(text, country, { strict: true });
  if (text.includes('+')) return phone;
  const digits = digitsOf(text);
  if (phone !== null) {
    // `4915123456789` in Germany is a mobile number without its plus, and also a long number of a town.
    const hasCode = digits.startsWith(getCountryCallingCode(country as CountryCode));
    const whole = hasCode ? toE164(`+${digits}`, country, { strict: true }) : null;
    return whole === null || whole === phone ? phone : null;
  }
  const international = digits.startsWith('00') ? digits.slice(2) : digits;
  if (international.length < minInternationalDigits) return null;
  if (international === digits && isNearNational(digits, country)) return null;
  return toE164(`+${international}`, country, { strict: true });
}

/** True for a number of the country with a typing error, by its length: it must not become another country's. */
function isNearNational(digits: string, country: string): boolean {
  const national = getExampleNumber(country as CountryCode, examples)?.nationalNumber.length ?? 0;
  return Math.abs(digits.replace(/^0/, '').length - national) <= 1;
}
