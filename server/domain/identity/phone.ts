import parsePhoneNumber, { type CountryCode, type PhoneNumber, parsePhoneNumberWithError } from 'libphonenumber-js/max';

const e164 = /^\+[1-9][0-9]{6,14}$/;

/**
 * Returns the E.164 form of a phone number as people write it, or null for an invalid one. `country` is used to read
 * national numbers. Enrolment uses `strict`, which requires a valid number. A look-up also accepts any text in E.164's
 * form. If both accept it, the result is the same: `+60 012-345 6789` is `+60123456789`.
 */
export function toE164(input: string, country: string, { strict = false } = {}): string | null {
  // Numbers copied from a web page or a contact contain invisible direction marks.
  const written = input.replace(/\p{Cf}/gu, '').trim();
  const read = parse(written, country);
  if (read && written.startsWith('00') && parse(`+${written.slice(2)}`, country)?.number !== read.number) return null;
  const number = read && isRead(read) ? read : null;
  if (number && (strict ? number.isValid() : number.isPossible())) return number.ext ? null : number.number;
  return !strict && e164.test(written) ? written : null;
}

/**
 * Countries whose mobile numbers are written in two ways, and the way that we store. Mexico dropped the 1 after +52 in
 * 2019 (and 044 and 045 at home). Argentina's numbers have a 9 after +54 when they are called from abroad.
 */
const sameNumbers = [
  [/^\+52(?:1|04[45])(\d{10})$/, '+52$1'],
  [/^\+54(\d{10})$/, '+549$1'],
] as const;

function parse(written: string, country: string): PhoneNumber | null {
  try {
    const number = parsePhoneNumberWithError(written, { defaultCountry: country as CountryCode, extract: false });
    for (const [form, kept] of sameNumbers) {
      const other = form.test(number.number) ? parsePhoneNumber(number.number.replace(form, kept)) : undefined;
      if (other?.isValid() && !number.ext) return other;
    }
    return number;
  } catch {
    return null;
  }
}

/**
 * True if reading the result again returns the same number. `+31 000 0000` loses a zero each time, so it is no number.
 */
const isRead = ({ nationalNumber, number, country }: PhoneNumber): boolean =>
  !nationalNumber.startsWith('0') || parse(number, country ?? '')?.number === number;

/** Returns the national digits of an E.164 number, which every notation contains. */
export const nationalDigits = (phone: string): string => parsePhoneNumber(phone)?.nationalNumber ?? phone.slice(1);

/**
 * Returns the ISO 3166 country of an E.164 number, empty if unknown, and the prefix of its area: the calling code, with
 * the area code in North America, where twenty-five countries share one.
 */
export function placeOfPhone(phone: string): { country: string; area: string } {
  const { country = '', countryCallingCode = '' } = parsePhoneNumber(phone) ?? {};
  return { country, area: countryCallingCode === '1' ? phone.slice(0, 5) : `+${countryCallingCode}` };
}
