/** The short form of `npm run proof:chaos`, whose `-- --mutants` proves that it detects defects. */
import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { asItIs, runBank, type Size } from './bank';
import { mutants } from './mutants';

const short: Size = {
  clients: 32,
  transactions: 400,
  lateOriginals: 1,
  kills: { database: 2, service: 1 },
  maxSeconds: 120,
};
const seed = Number(process.env.CHAOS_SEED ?? randomInt(2 ** 31));

test(`the database and the service are killed under load: every acknowledged outcome is true (seed ${seed})`, async () => {
  const { complaints, figures } = await runBank(short, seed, asItIs);
  expect(complaints, JSON.stringify({ complaints, figures })).toEqual([]);
}, 240_000);

test.each(Object.entries(mutants))('the defect "%s" fits the source, where it is planted once', (_, { patches }) => {
  for (const { file, find } of patches) expect(readFileSync(file, 'utf8').split(find), find).toHaveLength(2);
});
