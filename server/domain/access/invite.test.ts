import { describe, expect, test } from 'vitest';
import { queriesOn } from '@/db/driver';
import { sharedDatabase } from '@/db/testing/database';
import { createMerchant, testServices } from '@/server/testing/factory';
import { createPerson, newBrowser, openSession, personOf, refusalOf, tokensFor } from '@/server/testing/people';
import { createStaff } from '@/server/testing/staff';
import type { StaffContext } from '../kernel/context';
import { closeMerchant, openMerchant } from '../merchants';
import { forgetExpired } from './forget-expired';
import { inviteStaff, resendInvitation, revokeInvitation } from './invite';
import { findInvitation, joinAsNewStaff, joinAsStaff } from './join';
import { listStaff } from './memberships';
import { findStaff } from './sessions';

const database = sharedDatabase();
let now = new Date('2026-03-02T08:00:00Z');
const services = () => testServices(database.db, { now: () => now });
const day = 24 * 60 * 60_000;
const pass = (ms: number) => {
  now = new Date(now.getTime() + ms);
};
const password = 'a password of my own';

/** The owner of a separate merchant. */
async function newOwner(): Promise<StaffContext> {
  const { id } = await createMerchant(database.owner, { name: 'Corner' });
  return createStaff(database.owner, services(), id);
}

let serial = 0;
const newAddress = () => `invited-${++serial}@example.com`;
const tokenOf = ({ link }: { link: string }) => link.split('/').at(-1) as string;

const auditOf = (ctx: StaffContext) =>
  database.owner`select action, after::json as after from audit_log where merchant_id = ${ctx.merchant.id} order by action`;

describe('a new person', () => {
  test('accepts with a name and a password, and works there in the role', async () => {
    const owner = await newOwner();
    const email = newAddress();
    const invited = await inviteStaff(owner, { email, role: 'manager', language: 'en' });
    expect(await tokensFor(services(), email)).toEqual([tokenOf(invited)]);
    expect(await findInvitation(services(), tokenOf(invited))).toEqual({
      merchantName: 'Corner',
      storeNames: [],
      email,
      role: 'manager',
      hasAccount: false,
    });
    const joined = await joinAsNewStaff(services(), newBrowser(), { token: tokenOf(invited), name: 'Priya', password });
    expect(joined).toEqual({ merchantId: owner.merchant.id, email });
    const person = await findStaff(services(), (await openSession(services(), email, password)).token);
    expect(person).toMatchObject({
      name: 'Priya',
      memberships: [{ merchantId: owner.merchant.id, merchantName: 'Corner', role: 'manager' }],
    });
    expect(await auditOf(owner)).toMatchObject([
      { action: 'staff.invite', after: { role: 'manager' } },
      { action: 'staff.join', after: { role: 'manager' } },
      { action: 'staff.signIn' },
    ]);
    expect((await listStaff(owner)).invitations).toEqual([]);
  });

  test('can use the link once, also when it is used twice at once', async () => {
    const owner = await newOwner();
    const token = tokenOf(await inviteStaff(owner, { email: newAddress(), role: 'cashier', language: 'en' }));
    const attempts = ['Ann', 'Ben'].map((name) => joinAsNewStaff(services(), newBrowser(), { token, name, password }));
    const outcomes = await Promise.allSettled(attempts);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect((await listStaff(owner)).members).toHaveLength(2);
    expect((await refusalOf(joinAsNewStaff(services(), newBrowser(), { token, name: 'Cleo', password }))).code).toBe(
      'link_not_found',
    );
  });

  test('invited by two merchants, accepting both at once, gets one account, and can accept the other with it', async () => {
    const [first, second] = [await newOwner(), await newOwner()];
    const email = newAddress();
    const tokens = [
      tokenOf(await inviteStaff(first, { email, role: 'cashier', language: 'en' })),
      tokenOf(await inviteStaff(second, { email, role: 'manager', language: 'en' })),
    ];
    const outcomes = await Promise.allSettled(
      tokens.map((token) => joinAsNewStaff(services(), newBrowser(), { token, name: 'Dee', password })),
    );
    const left = tokens.filter((_, at) => outcomes[at]?.status === 'rejected');
    expect(left).toHaveLength(1);
    const { userId } = await openSession(services(), email, password);
    await joinAsStaff(services(), await personOf(services(), userId), { token: left[0] as string });
    expect((await personOf(services(), userId)).memberships).toHaveLength(2);
  });
});

describe('a person with an account', () => {
  test('accepts when signed in, and gets no second account', async () => {
    const owner = await newOwner();
    const { userId, email } = await createPerson(database.owner);
    const token = tokenOf(await inviteStaff(owner, { email, role: 'cashier', language: 'en' }));
    expect(await findInvitation(services(), token)).toMatchObject({ hasAccount: true });
    const refusal = await refusalOf(joinAsNewStaff(services(), newBrowser(), { token, name: 'Eve', password }));
    expect(refusal.message).toContain('sign in');
    await joinAsStaff(services(), await personOf(services(), userId), { token });
    expect((await personOf(services(), userId)).memberships).toMatchObject([
      { merchantId: owner.merchant.id, role: 'cashier' },
    ]);
  });

  test('can’t accept after seven days, nor twice', async () => {
    const owner = await newOwner();
    const { userId, email } = await createPerson(database.owner);
    const invited = await inviteStaff(owner, { email, role: 'cashier', language: 'en' });
    const accept = async (token: string) => joinAsStaff(services(), await personOf(services(), userId), { token });
    pass(7 * day);
    expect((await refusalOf(accept(tokenOf(invited)))).code).toBe('link_not_found');
    expect((await personOf(services(), userId)).memberships).toEqual([]);
    const again = tokenOf(await resendInvitation(owner, { ...invited, language: 'en' }));
    pass(7 * day - 1);
    expect(await accept(again)).toEqual({ merchantId: owner.merchant.id });
    expect((await refusalOf(accept(again))).code).toBe('link_not_found');
  });

  test('can’t accept someone else’s invitation', async () => {
    const owner = await newOwner();
    const { userId } = await createPerson(database.owner);
    const invited = await createPerson(database.owner);
    const token = tokenOf(await inviteStaff(owner, { email: invited.email, role: 'owner', language: 'en' }));
    const refusal = await refusalOf(joinAsStaff(services(), await personOf(services(), userId), { token }));
    expect(refusal.code).toBe('link_not_found');
    expect((await personOf(services(), userId)).memberships).toEqual([]);
    expect(await findInvitation(services(), token)).not.toBeNull();
  });
});

describe('an invitation', () => {
  test('expires after seven days, and is valid again when it is resent with a new link', async () => {
    const owner = await newOwner();
    const email = newAddress();
    const invited = await inviteStaff(owner, { email, role: 'cashier', language: 'en' });
    pass(7 * day);
    expect(await findInvitation(services(), tokenOf(invited))).toBeNull();
    const join = (token: string) => joinAsNewStaff(services(), newBrowser(), { token, name: 'Fay', password });
    expect((await refusalOf(join(tokenOf(invited)))).code).toBe('link_not_found');
    expect((await listStaff(owner)).invitations).toMatchObject([{ email, isExpired: true }]);

    const again = await resendInvitation(owner, { ...invited, language: 'zh' });
    expect((await listStaff(owner)).invitations).toMatchObject([{ email, isExpired: false }]);
    expect((await refusalOf(join(tokenOf(invited)))).code).toBe('link_not_found');
    expect(await join(tokenOf(again))).toMatchObject({ email });
    expect((await refusalOf(resendInvitation(owner, { ...invited, language: 'zh' }))).code).toBe(
      'invitation_not_found',
    );
  });

  test('that has expired can be replaced by another to the same address', async () => {
    const owner = await newOwner();
    const email = newAddress();
    const invited = await inviteStaff(owner, { email, role: 'cashier', language: 'en' });
    pass(7 * day - 1);
    const refusal = await refusalOf(inviteStaff(owner, { email, role: 'manager', language: 'en' }));
    expect(refusal.issues[0]?.path).toBe('email');
    pass(1);
    const again = await inviteStaff(owner, { email, role: 'manager', language: 'en' });
    expect((await listStaff(owner)).invitations).toMatchObject([{ email, role: 'manager', isExpired: false }]);
    expect(await findInvitation(services(), tokenOf(invited))).toBeNull();
    expect(await findInvitation(services(), tokenOf(again))).toMatchObject({ role: 'manager' });
  });

  test('that expired 30 days ago is deleted, and no other', async () => {
    const [owner, other] = [await newOwner(), await newOwner()];
    const addresses = async (ctx: StaffContext) => (await listStaff(ctx)).invitations.map(({ email }) => email);
    const [first, second] = [newAddress(), newAddress()];
    await inviteStaff(owner, { email: first, role: 'cashier', language: 'en' });
    pass(1_000);
    await inviteStaff(owner, { email: second, role: 'cashier', language: 'en' });
    await inviteStaff(other, { email: second, role: 'cashier', language: 'en' });
    pass(37 * day - 1_000);
    await forgetExpired(services());
    expect(await addresses(owner)).toEqual([second, first]);
    pass(1);
    await forgetExpired(services());
    expect([await addresses(owner), await addresses(other)]).toEqual([[second], [second]]);
  });

  test('can be revoked, once', async () => {
    const owner = await newOwner();
    const invited = await inviteStaff(owner, { email: newAddress(), role: 'owner', language: 'en' });
    await revokeInvitation(owner, invited);
    expect(await findInvitation(services(), tokenOf(invited))).toBeNull();
    expect((await refusalOf(revokeInvitation(owner, invited))).code).toBe('invitation_not_found');
    expect((await auditOf(owner)).map(({ action }) => action)).toEqual(['staff.invite', 'staff.revokeInvitation']);
  });

  test('of a closed merchant is as if it had expired, until it is open again', async () => {
    const owner = await newOwner();
    const { userId, email } = await createPerson(database.owner);
    const [invited, unknown] = [email, newAddress()].map((email) =>
      inviteStaff(owner, { email, role: 'owner', language: 'en' }),
    );
    const tokens = (await Promise.all([invited, unknown])).map((one) => tokenOf(one as { link: string }));
    const [token = '', other = ''] = tokens;
    const found = () => Promise.all(tokens.map(async (one) => (await findInvitation(services(), one)) !== null));
    const db = queriesOn(database.owner);
    await closeMerchant(db, owner.merchant.id, now);
    expect(await found()).toEqual([false, false]);
    const accept = async () => joinAsStaff(services(), await personOf(services(), userId), { token });
    expect((await refusalOf(accept())).code).toBe('link_not_found');
    const joining = joinAsNewStaff(services(), newBrowser(), { token: other, name: 'Priya', password });
    expect((await refusalOf(joining)).code).toBe('link_not_found');
    await openMerchant(db, owner, owner.merchant.id);
    expect(await found()).toEqual([true, true]);
    expect(await accept()).toEqual({ merchantId: owner.merchant.id });
  });

  test('of another merchant can’t be changed', async () => {
    const [owner, other] = [await newOwner(), await newOwner()];
    const invited = await inviteStaff(owner, { email: newAddress(), role: 'cashier', language: 'en' });
    expect((await refusalOf(resendInvitation(other, { ...invited, language: 'zh' }))).code).toBe(
      'invitation_not_found',
    );
    expect((await refusalOf(revokeInvitation(other, invited))).code).toBe('invitation_not_found');
    expect((await listStaff(other)).invitations).toEqual([]);
    expect(await findInvitation(services(), tokenOf(invited))).not.toBeNull();
  });

  test('is unique per address, also when two owners invite at once', async () => {
    const owner = await newOwner();
    const email = newAddress();
    const outcomes = await Promise.allSettled(
      (['cashier', 'manager'] as const).map((role) => inviteStaff(owner, { email, role, language: 'en' })),
    );
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect((await listStaff(owner)).invitations).toHaveLength(1);
    // The refused invitation is not mailed either.
    expect(await tokensFor(services(), email)).toHaveLength(1);
    const refusal = await refusalOf(inviteStaff(owner, { email, role: 'cashier', language: 'en' }));
    expect(refusal.issues[0]?.path).toBe('email');
  });

  test('is not possible for a member, but for a member of another merchant', async () => {
    const [owner, other] = [await newOwner(), await newOwner()];
    const refusal = await refusalOf(inviteStaff(owner, { email: owner.staff.email, role: 'cashier', language: 'en' }));
    expect(refusal.issues[0]?.path).toBe('email');
    expect(await inviteStaff(owner, { email: other.staff.email, role: 'cashier', language: 'en' })).toHaveProperty(
      'link',
    );
  });

  test('is mailed at most 30 times an hour', async () => {
    const owner = await newOwner();
    const invited = await inviteStaff(owner, { email: newAddress(), role: 'cashier', language: 'en' });
    for (let times = 2; times <= 30; times++) await resendInvitation(owner, { ...invited, language: 'zh' });
    expect((await refusalOf(resendInvitation(owner, { ...invited, language: 'zh' }))).code).toBe('too_many_attempts');
    expect((await refusalOf(inviteStaff(owner, { email: newAddress(), role: 'cashier', language: 'en' }))).code).toBe(
      'too_many_attempts',
    );
  });
});
