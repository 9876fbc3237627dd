/** People with second factors in a shared database, with a clock that the test sets. */
import { sharedDatabase } from '@/db/testing/database';
import type { Browser } from '../domain/access/browser';
import { findWaitingSession, finishSignIn, type WaitingSession } from '../domain/access/second-step';
import { signIn } from '../domain/access/sign-in';
import { testServices } from './factory';
import { addApp, createPerson, newBrowser, password, personOf } from './people';

/** Opens the database for the tests of a file. */
export function secondFactorStage() {
  const database = sharedDatabase();
  const started = new Date();

  /** The services as of `seconds` after the start. */
  const at = (seconds: number) => {
    const clock = { now: () => new Date(started.getTime() + seconds * 1000) };
    return { ...testServices(database.db), clock, systemClock: clock };
  };
  const services = () => at(0);
  return {
    started,
    at,
    services,
    get owner() {
      return database.owner;
    },

    /** Creates a person with an app. */
    async withApp() {
      const { userId, email } = await createPerson(database.owner);
      const person = await personOf(services(), userId);
      return { userId, email, person, ...(await addApp(services(), person)) };
    },

    /** Signs in with the password. Returns the session that waits. */
    async signInHalf(email: string, browser = newBrowser()) {
      const session = await signIn(services(), browser, { email, password });
      if (!session) throw new Error('the password is wrong');
      const waiting = await findWaitingSession(services(), session);
      if (!waiting) throw new Error('the session does not wait');
      return { ...session, waiting, browser };
    },

    finish: (waiting: WaitingSession, code: string, browser: Browser = newBrowser()) =>
      finishSignIn(services(), browser, waiting, { code }),
  };
}
