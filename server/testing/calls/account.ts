/** Procedures that people call about their own account, and that strangers call to sign in. */

import { findInvitation } from '@/server/domain/access/join';
import { findPasswordReset, sendPasswordReset } from '@/server/domain/access/password-reset';
import { newId } from '@/server/domain/kernel/ids';
import { createCallerFactory } from '@/server/trpc/account/init';
import { accountRouter } from '@/server/trpc/account/router';
import { newDevice } from '../passkey-device';
import { addApp, codeOf, createPerson, newBrowser, openSession, password, personOf, tokensFor } from '../people';
import { type CallScene, type Calls, expectRefusal } from './scene';

const createCaller = createCallerFactory(accountRouter);
const stranger = ({ services }: CallScene) =>
  createCaller({ services, browser: newBrowser(), person: null, cookie: null });

/** Creates a person who works for the merchant. */
async function someone({ services, sql, merchant }: CallScene) {
  const { userId, email } = await createPerson(sql);
  await sql`insert into memberships (merchant_id, user_id, role) values (${merchant.id}, ${userId}, 'cashier')`;
  await openSession(services, email);
  const person = await personOf(services, userId);
  return { email, userId, person, account: createCaller({ services, browser: newBrowser(), person, cookie: null }) };
}

/** Creates one with an authenticator app, and a sign-in that waits for its code. */
async function someoneWithApp(scene: CallScene) {
  const { services } = scene;
  const someoneElse = await someone(scene);
  const app = await addApp(services, someoneElse.person);
  const cookie = await openSession(services, someoneElse.email);
  const waiting = createCaller({ services, browser: newBrowser(), person: null, cookie });
  return { ...someoneElse, ...app, waiting, code: codeOf(services, app.secret) };
}

/** Creates one with a passkey. */
async function someoneWithPasskey(scene: CallScene) {
  const someoneElse = await someone(scene);
  const device = newDevice();
  await someoneElse.account.addPasskey({ response: device.create(await someoneElse.account.newPasskey()) });
  const { passkeys } = await someoneElse.account.secondFactors();
  return { ...someoneElse, device, passkeyId: passkeys[0]?.passkeyId ?? '' };
}

async function invited({ call, services }: CallScene, email: string): Promise<string> {
  const { link } = await call.staff.invite({ email, role: 'cashier', language: 'en' });
  const token = link.split('/').at(-1) as string;
  await findInvitation(services, token);
  return token;
}

export const accountCalls: Calls = {
  requestPasswordReset: (scene) => stranger(scene).requestPasswordReset({ email: 'ada@example.com', language: 'en' }),
  resetPassword: async (scene) => {
    const services = { ...scene.services, mailer: 'inbox' as const };
    const { email } = await someone(scene);
    await sendPasswordReset(services, { email, language: 'en' });
    const [token = ''] = await tokensFor(services, email);
    await findPasswordReset(services, token);
    await stranger(scene).resetPassword({ token, password: 'a new and better one' });
    await expectRefusal(stranger(scene).resetPassword({ token, password: 'yet another one' }));
  },
  joinAsNewStaff: async (scene) => {
    const token = await invited(scene, `${newId()}@example.com`);
    const joining = { token, name: 'Priya', password: 'a password of my own' };
    await stranger(scene).joinAsNewStaff(joining);
    await expectRefusal(stranger(scene).joinAsNewStaff(joining));
  },
  joinAsStaff: async (scene) => {
    const { email, userId, account } = await someone(scene);
    await scene.sql`delete from memberships where user_id = ${userId}`;
    await account.joinAsStaff({ token: await invited(scene, email) });
  },
  changeOwnName: async (scene) => (await someone(scene)).account.changeOwnName({ name: 'Priya' }),
  changeOwnPassword: async (scene) => {
    const { account } = await someone(scene);
    await expectRefusal(account.changeOwnPassword({ presentPassword: 'wrong', newPassword: 'long enough to do' }));
    await account.changeOwnPassword({ presentPassword: password, newPassword: 'long enough to do' });
  },
  sessions: async (scene) => (await someone(scene)).account.sessions(),
  endSession: async (scene) => {
    const { account } = await someone(scene);
    const other = (await account.sessions()).find(({ isThis }) => !isThis);
    await account.endSession({ sessionId: other?.sessionId ?? '' });
  },
  endOtherSessions: async (scene) => (await someone(scene)).account.endOtherSessions(),
  finishSignIn: async (scene) => {
    const { waiting, code } = await someoneWithApp(scene);
    await expectRefusal(waiting.finishSignIn({ code: '000000' }));
    await waiting.finishSignIn({ code });
    const other = await someoneWithApp(scene);
    await other.waiting.finishSignIn({ code: other.recoveryCodes[0] ?? '' });
  },
  confirmWithCode: async (scene) => {
    const { account, code } = await someoneWithApp(scene);
    await account.confirmWithCode({ code });
  },
  confirmWithPassword: async (scene) =>
    (await someone(scene)).account.confirmWithPassword({ presentPassword: password }),
  requestPasskey: (scene) => stranger(scene).requestPasskey(),
  newPasskey: async (scene) => (await someone(scene)).account.newPasskey(),
  addPasskey: async (scene) => {
    const { account } = await someone(scene);
    await account.addPasskey({ response: newDevice().create(await account.newPasskey()) });
  },
  finishSignInWithPasskey: async (scene) => {
    const { device, email, account } = await someoneWithPasskey(scene);
    const cookie = await openSession(scene.services, email);
    const waiting = createCaller({ services: scene.services, browser: newBrowser(), person: null, cookie });
    await waiting.finishSignInWithPasskey({ passkey: device.prove(await account.requestPasskey()) });
  },
  confirmWithPasskey: async (scene) => {
    const { account, device } = await someoneWithPasskey(scene);
    await account.confirmWithPasskey({ passkey: device.prove(await account.requestPasskey()) });
  },
  renamePasskey: async (scene) => {
    const { account, passkeyId } = await someoneWithPasskey(scene);
    await account.renamePasskey({ passkeyId, name: 'Laptop' });
  },
  removePasskey: async (scene) => {
    const { account, passkeyId } = await someoneWithPasskey(scene);
    await account.removePasskey({ passkeyId });
  },
  checkConfirmed: async (scene) => (await someone(scene)).account.checkConfirmed(),
  secondFactors: async (scene) => (await someone(scene)).account.secondFactors(),
  newAuthenticator: async (scene) => (await someone(scene)).account.newAuthenticator(),
  addAuthenticator: async (scene) => {
    const { account } = await someone(scene);
    const { sealed, secret } = await account.newAuthenticator();
    await account.addAuthenticator({ sealed, code: codeOf(scene.services, secret) });
  },
  removeAuthenticator: async (scene) => (await someoneWithApp(scene)).account.removeAuthenticator(),
  renewRecoveryCodes: async (scene) => (await someoneWithApp(scene)).account.renewRecoveryCodes(),
  signOutEverywhere: async (scene) => (await someone(scene)).account.signOutEverywhere(),
};
