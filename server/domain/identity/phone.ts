import parsePhoneNumber, { type CountryCode, type PhoneNumber, parsePhoneNumberWithError } from 'libphonenumber-js/max';

const e164 = /^\+[1-9][0-9]{6,14}$/;

/**
 * Returns the E.164 form of a phone number as people write it, or null if it is none. National numbers are read with
 * `country`. Enrolment uses `strict`, which requires a possible number; a look-up accepts the form of E.164, too. If
 * both accept it, the result is the same: `+60 012-345 6789` is `+60123456789`.
 */
export function toE164(input: string, country: string, { strict = false } = {}): string | null {
  const written = input.trim();
  const read = parse(written, country);
  const number = read && isRead(read) ? read : null;
  if (number && (strict ? number.isValid() : number.isPossible())) return number.ext ? null : number.number;
  return !strict && e164.test(written) ? written : null;
}

function parse(written: string, country: string): PhoneNumber | null {
  try {
    return parsePhoneNumberWithError(written, { defaultCountry: country as CountryCode, extract: false });
  } catch {
    return null;
  }
}

/** Whether reading the number again returns the same. `+31 000 0000` loses a zero each time, so it is no number. */
const isRead = ({ nationalNumber, number, country }: PhoneNumber): boolean =>
  !nationalNumber.startsWith('0') || parse(number, country ?? '')?.number === number;

/** Returns the national digits of an E.164 number, which every notation contains. */
export const nationalDigits = (phone: string): string => parsePhoneNumber(phone)?.nationalNumber ?? phone.slice(1);

/**
 * Returns the ISO 3166 country of an E.164 number, empty if it has none, and what such numbers begin with: the calling
 * code, of North America with the area code, because twenty-five countries share it.
 */
export function placeOfPhone(phone: string): { country: string; area: string } {
  const { country = '', countryCallingCode = '' } = parsePhoneNumber(phone) ?? {};
  return { country, area: countryCallingCode === '1' ? phone.slice(0, 5) : `+${countryCallingCode}` };
}

/** Returns `+6591234567` as `+65••••4567`: enough to recognise, too little to use. */
export function maskPhone(phone: string): string {
  return `${phone.slice(0, 3)}••••${phone.slice(-4)}`;
}
