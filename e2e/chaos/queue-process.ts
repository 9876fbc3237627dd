/**
 * A till as a process of its own, for a test that kills it: it adds redemptions to its queue, and prints each id once it is in
 * the journal, and each outcome. With a count of 0 it finishes what its journal holds.
 */
import { randomUUID } from 'node:crypto';
import { openFileJournal } from '@/clients/typescript/src/file-journal';
import { createClient, openQueue } from '@/clients/typescript/src/index';

const [origin = '', apiKey = '', folder = '', customerId = '', count = '0'] = process.argv.slice(2);
const print = (...words: string[]) => void process.stdout.write(`${words.join(' ')}\n`);

const queue = await openQueue({
  client: createClient({ origin, apiKey, giveUpAfterMs: 2_000 }),
  journal: await openFileJournal(folder),
  onOutcome: ({ body }, { status }) => print(status, 'transactionId' in body ? body.transactionId : ''),
});
for (let n = 0; n < Number(count); n++) {
  const transactionId = randomUUID();
  const occurredAt = new Date().toISOString();
  const body = { transactionId, customer: { customerId }, amount: 10, occurredAt };
  await queue.add('/transactions/stored-value/redeem', body);
  print('added', transactionId);
}
while (queue.size > 0) await new Promise((resolve) => setTimeout(resolve, 10));
await queue.close();
