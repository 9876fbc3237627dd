import type { TestDatabase } from '@/db/testing/database';
import { createCallerFactory } from '@/server/trpc/account/init';
import { accountRouter } from '@/server/trpc/account/router';
import { listProcedures } from '@/server/trpc/procedures';
import { testServices } from '../factory';
import { addApp, createPerson, newBrowser, personOf, sessionOf } from '../people';
import { answerTo, badInput, callAt, tableOf } from './answers';

const signs: Record<string, string> = { UNAUTHORIZED: '–', confirmation_required: 'proof' };

/** Lists who may call each procedure on accounts, of people at all merchants. */
export async function accountTable({ owner, db }: TestDatabase): Promise<string> {
  const services = testServices(db);
  const rows: string[][] = [];
  const { userId: careful } = await createPerson(owner);
  await addApp(services, await personOf(services, careful));
  const waiting = { userId: careful, token: await sessionOf(services, careful) };
  for (const { path } of listProcedures(accountRouter)) {
    const { userId } = await createPerson(owner);
    const now = await personOf(services, userId);
    const late = { ...now, confirmedAt: new Date(Date.now() - 16 * 60_000) };
    const cells: string[] = [];
    for (const [person, cookie] of [
      [null, null],
      [null, waiting],
      [late, null],
      [now, null],
    ] as const) {
      const caller = createCallerFactory(accountRouter)({ services, browser: newBrowser(), person, cookie });
      const answer = await answerTo(callAt(caller, path, badInput));
      cells.push(signs[answer] ?? answer);
    }
    rows.push([path, ...cells]);
  }
  return tableOf(['Procedure', 'Stranger', 'Second step to come', 'Signed in', 'With a recent proof'], rows);
}
