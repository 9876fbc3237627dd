import { invalid } from '../kernel/errors';
import { say } from '../kernel/say';

/** What an attacker knows about a person. */
export interface KnownOfPerson {
  email: string;
  merchantNames: readonly string[];
}

let common: Promise<Set<string>> | undefined;

/** The commonest passwords in lower case. A megabyte, so it is loaded when it is first needed. */
function commonPasswords(): Promise<Set<string>> {
  common ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary['passwords-common'].map((password) => password.toLowerCase())),
  );
  return common;
}

/**
 * Refuses passwords that are guessed first: the person's e-mail address, the name of one of their businesses, and
 * common passwords, even with digits and signs at the end. Errors: `invalid_request`.
 */
export async function rejectGuessablePassword(
  password: string,
  { email, merchantNames }: KnownOfPerson,
  field: string,
): Promise<void> {
  const isLike = (other: string) => plain(password) === plain(other) || isSame(core(password), core(other));
  if (isLike(email) || isLike(email.split('@')[0] as string)) throw invalid(field, say('passwordIsEmail'));
  if (merchantNames.some(isLike)) throw invalid(field, say('passwordIsBusiness'));
  const list = await commonPasswords();
  const forms = [password.trim().toLowerCase(), plain(password), core(password)];
  if (new Set(password).size < 4 || forms.some((form) => list.has(form))) throw invalid(field, say('passwordIsCommon'));
}

const isSame = (one: string, other: string) => one !== '' && one === other;

/** The letters and digits, in lower case. */
const plain = (text: string) =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');

/** The same without digits at the end: `kopikaya` for `Kopi & Kaya 2026!`. */
const core = (text: string) => plain(text).replace(/\p{N}+$/u, '');
