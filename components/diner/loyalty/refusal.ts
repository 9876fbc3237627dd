import { TRPCClientError } from '@trpc/client';
import type { DinerRouter } from '@/server/trpc/diner/router';
import { fillText, type LoyaltyWords, type TextName } from '../words';
import type { Speech } from './speech';

/** Why a request was rejected, in the reader's language. */
export interface Refusal {
  /** The domain's error code; null for a network or server error. */
  reason: string | null;
  text: string;
  /** The field with the error, if any. */
  field: string | null;
  isSignedOut: boolean;
}

const wrongField: Record<string, TextName<LoyaltyWords>> = {
  phone: 'phoneWrong',
  code: 'codeShape',
  givenName: 'nameMissing',
  lastName: 'nameMissing',
  email: 'emailWrong',
  birthday: 'birthdayWrong',
  consent: 'consentMissing',
  pin: 'pinShape',
  oldPin: 'pinShape',
};

/** Special texts for certain fields, by the key of their sentence. */
const special: Record<string, TextName<LoyaltyWords>> = { pinTooEasy: 'pinEasy', codeCountry: 'phoneCountry' };

/** The fields for errors that name none. */
const fieldOf: Record<string, string> = {
  code_invalid: 'code',
  code_expired: 'code',
  pin_invalid: 'oldPin',
  customer_exists: 'email',
};

/** Turns an error into a text for the reader. */
export function readRefusal(error: unknown, speech: Speech): Refusal {
  const { words } = speech;
  const data = error instanceof TRPCClientError ? (error as TRPCClientError<DinerRouter>).data : null;
  if (!data) return { reason: null, text: words.offline, field: null, isSignedOut: false };
  const { reason, code, issues, sentence } = data;
  const isSignedOut = code === 'UNAUTHORIZED';
  const named = reason !== null && reason !== 'invalid_request';
  const text = named ? textOf(sentence.key === 'codesUsedUp' ? sentence.key : reason, data.details, speech) : null;
  const field = (reason && fieldOf[reason]) ?? issues[0]?.path ?? null;
  if (text) return { reason, text, field, isSignedOut };
  const key = field === null ? undefined : wrongField[field];
  if (!key || !field) return { reason, text: isSignedOut ? words.signedOut : words.failed, field: null, isSignedOut };
  return { reason, text: words[special[issues[0]?.sentence.key ?? ''] ?? key], field, isSignedOut };
}

function textOf(reason: string, details: Record<string, unknown>, { words, when }: Speech): string | null {
  const values = { count: Number(details.attemptsLeft), when: when(Number(details.retryAfterSeconds ?? 60)) };
  switch (reason) {
    case 'code_invalid':
      return values.count === 0 ? words.codeExpired : fillText(words.codeWrong, values);
    case 'code_expired':
      return words.codeExpired;
    case 'code_required':
    case 'pin_not_set':
      return words.codeNeeded;
    case 'pin_invalid':
      return fillText(words.pinWrong, values);
    case 'pin_locked':
      return fillText(words.pinLocked, values);
    case 'customer_exists':
      return words.emailTaken;
    case 'codesUsedUp':
      return fillText(words.codesUsedUp, values);
    case 'too_many_attempts':
    case 'rate_limited':
      return fillText(words.tooMany, values);
    default:
      return null;
  }
}
