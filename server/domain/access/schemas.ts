/** Input of a merchant's staff. The forms use the same schemas. */
import { z } from 'zod';
import { languages, type SecondFactorDemand, type StaffRole, secondFactorDemands, staffRoles } from '../kernel/context';
import { problem } from '../kernel/say';
import { text, uuid } from '../kernel/schemas';

/** Stored in lower case. */
const email = z.string().trim().toLowerCase().pipe(z.email().max(254));
const name = z.string().trim().pipe(text(100));
const presentPassword = z.string().min(1).max(1024);
const newPassword = z.string().min(10).max(1024);
const token = z.string().max(100);

/** The language of the back office and of its mails. */
export const language = z.enum(languages);

export const passwordResetRequest = z.strictObject({ email, language });
export const passwordReset = z.strictObject({ token, password: newPassword });
export const newStaff = z.strictObject({ token, name, password: newPassword });
export const invitationAcceptance = z.strictObject({ token });

export const ownName = z.strictObject({ name });
export const sessionKey = z.strictObject({ sessionId: z.uuid() });
/** A code of an authenticator app, or a recovery code. Spaces and hyphens are ignored. */
const code = z.string().trim().min(6).max(40);
export const codeInput = z.strictObject({ code });
export const newAuthenticatorInput = z.strictObject({ sealed: z.string().max(200), code });
const bytes = (maxLength: number) => z.base64url().min(1).max(maxLength);
const credential = { id: bytes(1_400), rawId: bytes(1_400), type: z.literal('public-key') };
/** We ask for no extensions of WebAuthn. */
const withoutExtensions = <Response>(response: Response) => ({ ...response, clientExtensionResults: {} });
/** The response of a device that has created a passkey, as WebAuthn defines it. Other fields are dropped. */
export const newPasskeyInput = z.strictObject({
  response: z
    .object({ ...credential, response: z.object({ clientDataJSON: bytes(4_096), attestationObject: bytes(8_192) }) })
    .transform(withoutExtensions),
});
/** The response of a device that proves a passkey. */
export const passkeyResponse = z
  .object({
    ...credential,
    response: z.object({
      clientDataJSON: bytes(4_096),
      authenticatorData: bytes(4_096),
      signature: bytes(4_096),
      userHandle: bytes(100).optional(),
    }),
  })
  .transform(withoutExtensions);
export const passkeyInput = z.strictObject({ passkey: passkeyResponse });
export const passkeyKey = z.strictObject({ passkeyId: z.uuid() });
export const passkeyName = z.strictObject({ passkeyId: z.uuid(), name });
export const passwordProof = z.strictObject({ presentPassword });
export const passwordChange = z.strictObject({ presentPassword, newPassword });

/** The stores that a person works for: all, or named ones. */
const ownStores = {
  allStores: z.boolean().default(true),
  storeIds: z.array(uuid).max(1_000).default([]).describe('Used unless `allStores`.'),
};
const isNamed = ({ allStores, storeIds }: { allStores: boolean; storeIds: string[] }) =>
  allStores || storeIds.length > 0;
const unnamed = { ...problem('storeMissing'), path: ['storeIds'] };
export type OwnStores = z.infer<z.ZodObject<typeof ownStores>>;

export const invitation = z
  .strictObject({ email, role: z.enum(staffRoles), language, ...ownStores })
  .refine(isNamed, unnamed)
  .refine(({ role, allStores }) => role !== 'owner' || allStores, {
    ...problem('ownersWorkEverywhere'),
    path: ['allStores'],
  });
export const storesChange = z.strictObject({ userId: z.uuid(), ...ownStores }).refine(isNamed, unnamed);
export const invitationKey = z.strictObject({ invitationId: z.uuid() });
export const invitationAgain = z.strictObject({ invitationId: z.uuid(), language });
/** How many days staff have until they need a second factor. */
export const graceDays = [0, 7, 14, 30] as const;
/** The roles that each demand covers, as in the database function `staff_session`. */
export const rolesDemanded: Record<SecondFactorDemand, readonly StaffRole[]> = {
  nobody: [],
  owners: ['owner'],
  managers: ['owner', 'manager'],
  everybody: staffRoles,
};
export const secondFactorDemand = z.strictObject({
  demandedOf: z.enum(secondFactorDemands),
  graceDays: z.literal(graceDays).nullable().describe('Null keeps the time of the demand in force.'),
});
export const staffKey = z.strictObject({ userId: z.uuid() });
export const roleChange = z.strictObject({ userId: z.uuid(), role: z.enum(staffRoles) });
