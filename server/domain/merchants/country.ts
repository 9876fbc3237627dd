import { isSupportedCountry } from 'libphonenumber-js/max';
import { invalid } from '../core/errors';
import { say } from '../core/say';

/** Errors: `invalid_request` for a country without phone numbers. Its tables are too large for the schemas of browsers. */
export function checkCountry(country: string): void {
  if (!isSupportedCountry(country)) throw invalid('country', say('noPhoneNumbers'));
}
