/** After all tests of the browser: what the services printed, and the demo's rows, hold no secret. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import postgres from 'postgres';
import { startEmbedded } from '@/db/operations/embedded';
import { secretsIn, secretsInRows } from '@/db/testing/secrets';
import { dataDirOf, logFile, ports } from '@/playwright.config';

/** What the demo tells the person who started it. */
const introduction = / {2}The service runs at[\s\S]*?Stop with Ctrl-C\./g;

export default async function searchForSecrets(): Promise<void> {
  for (const port of ports) await searchDemo(port);
}

async function searchDemo(port: number): Promise<void> {
  const logs = ['demo', 'diners'].map((name) => logFile(name, port)).filter((file) => existsSync(file));
  // One that was started by hand prints elsewhere.
  const isOurs = !process.env.E2E_DATA_DIR;
  if (isOurs && !logs.some((file) => readFileSync(file, 'utf8').includes('"msg":"request"')))
    throw new Error("the demo's log has no line of a request: there was nothing to search");
  const printed = logs.map((file) => readFileSync(file, 'utf8').replace(introduction, ''));
  const server = await startEmbedded({ dataDir: join(dataDirOf(port), 'postgres') });
  const sql = postgres(server.url('loyalty'), { max: 1, onnotice: () => {} });
  const secrets = [...secretsIn(printed.join('\n')), ...(await secretsInRows(sql))];
  await sql.end();
  if (secrets.length > 0)
    throw new Error(`logs or rows hold what they should not:\n${secrets.slice(0, 20).join('\n')}`);
}
