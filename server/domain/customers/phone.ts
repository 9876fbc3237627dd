import parsePhoneNumber, { type CountryCode, parsePhoneNumberWithError } from 'libphonenumber-js/max';

const e164 = /^\+[1-9][0-9]{6,14}$/;

/**
 * The E.164 form of a phone number as people write it, national numbers read with `country`; null when it is none.
 * What already looks like E.164 is taken as it is: look-ups need no more, and enrolment asks for `strict`.
 */
export function toE164(input: string, country: string, { strict = false } = {}): string | null {
  if (!strict && e164.test(input)) return input;
  try {
    const number = parsePhoneNumberWithError(input, { defaultCountry: country as CountryCode, extract: false });
    const isGood = strict ? number.isValid() : number.isPossible();
    return isGood && !number.ext ? number.number : null;
  } catch {
    return null;
  }
}

/** The digits of an E.164 number without its country's: what every way of writing it has. */
export const nationalDigits = (phone: string): string => parsePhoneNumber(phone)?.nationalNumber ?? phone.slice(1);

/** `+6591234567` as `+65••••4567`: enough to recognise, too little to learn. */
export function maskPhone(phone: string): string {
  return `${phone.slice(0, 3)}••••${phone.slice(-4)}`;
}
