/**
 * The contract, fuzzed: requests made from the OpenAPI document, right, nearly right and wrong, over several connections at
 * once. There are as many as it takes to ask each operation in every way; `npm run proof:fuzz` sends thousands. FUZZ_SEED
 * repeats a run.
 */
import { randomInt } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { documented, operationOf } from '../document';
import { ledgerViolations, restApi } from '../harness';
import { complaintsAbout, type FuzzAnswer } from './judge';
import { type FuzzRequest, manyVisits } from './requests';
import { asCurl, createSender } from './sender';
import { createFuzzStage } from './stage';

const api = restApi();
const seed = Number(process.env.FUZZ_SEED ?? randomInt(2 ** 31));
const lanes = 8;
const isProof = process.env.PROOF === 'long';
const leastRequests = isProof ? 20_000 : 500;
/** In a round, of three to four requests each. */
const visitsPerLane = 20;
/** There are more, as long as an operation has not been asked in every way. */
const mostRounds = isProof ? 200 : 24;

test(
  `requests of seed ${seed}`,
  async () => {
    const { actors, badKeys, sandboxKey } = await createFuzzStage(api);
    const goodKeys = new Set([...actors.flatMap(({ key, webhooksKey }) => [key, webhooksKey]), sandboxKey]);
    const { send, close } = createSender(api.origin, lanes);
    const answers: Answers = new Map();
    let requests = 0;

    /** The first lane that finds something goes on alone, to find it in fewer requests. */
    let finder: number | null = null;
    const laneOf = (lane: number) =>
      fc.asyncProperty(manyVisits(actors, badKeys, sandboxKey), async (steps) => {
        for (const [at, request] of steps.entries()) {
          if (finder !== null && finder !== lane) return;
          const answer = await send(request);
          requests += 1;
          count(answers, request, answer.status);
          const complaints = complaintsAbout(request, answer, goodKeys);
          if (complaints.length === 0) continue;
          finder ??= lane;
          throw new Finding(steps.slice(0, at + 1), answer, complaints);
        }
      });
    const started = performance.now();
    const runRound = (first: number) =>
      Promise.all(
        Array.from({ length: lanes }, (_, lane) =>
          fc.check(laneOf(lane), { seed: first + lane, numRuns: visitsPerLane, interruptAfterTimeLimit: 120_000 }),
        ),
      );
    const runs = await runRound(seed);
    const isUnfinished = () => finder === null && (requests < leastRequests || unreached(answers).length > 0);
    for (let round = 1; round < mostRounds && isUnfinished(); round++)
      runs.push(...(await runRound(seed + round * lanes)));
    const seconds = (performance.now() - started) / 1_000;
    close();
    process.stdout.write(`fuzz: seed ${seed}, ${requests} requests in ${seconds.toFixed(1)} s\n${tableOf(answers)}\n`);

    const errors = runs.map((run) => run.errorInstance).filter((error) => error !== undefined && error !== null);
    const found = errors.find((error) => error instanceof Finding);
    if (found)
      throw new Error(`FUZZ_SEED=${seed} npx vitest run e2e/rest/fuzz/fuzz.test.ts\n\n${found.tell(api.origin)}`);
    // Such as an answer that never came.
    if (errors.length > 0) throw errors[0];
    expect(requests).toBeGreaterThanOrEqual(leastRequests);
    // A fuzzer that is only ever refused would prove little.
    expect(unreached(answers)).toEqual([]);
    expect(await ledgerViolations(api)).toEqual([]);
  },
  isProof ? 3_600_000 : 600_000,
);

type Answers = Map<string, Map<number, number>>;

class Finding extends Error {
  constructor(
    readonly steps: FuzzRequest[],
    readonly answer: FuzzAnswer,
    readonly complaints: string[],
  ) {
    super(complaints.join('; '));
  }

  /** What to type to see it, what was answered, and what is wrong with that. */
  tell(origin: string): string {
    const commands = this.steps.map((request) => asCurl(origin, request)).join('\n');
    const { status, text } = this.answer;
    return `${commands}\n\n${status} ${text.slice(0, 500)}\n- ${this.complaints.join('\n- ')}`;
  }
}

function count(answers: Answers, { method, path }: FuzzRequest, status: number): void {
  const name = operationOf(method, path)?.operationId ?? 'none';
  const counts = answers.get(name) ?? new Map<number, number>();
  answers.set(name, counts.set(status, (counts.get(status) ?? 0) + 1));
}

/** What no request came to: each operation's success, and its refusals by shape and by key. */
/**
 * They take a diner's payment at Stripe, which no till makes, or an item with its options that no till has sold out: the
 * operations' own tests have them.
 */
const neverGood = ['refundBillPayment', 'releaseBillPayment', 'placeSandboxOrder'];

function unreached(answers: Answers): string[] {
  return documented.flatMap(({ operation: { operationId } }) =>
    [200, 400, 401]
      .filter((status) => !(status === 200 && neverGood.includes(operationId)))
      .filter((status) => !answers.get(operationId)?.has(status))
      .map((status) => `${operationId} ${status}`),
  );
}

function tableOf(answers: Answers): string {
  const lines = [...answers].map(([name, counts]) => {
    const sorted = [...counts].sort(([a], [b]) => a - b).map(([status, count]) => `${status}×${count}`);
    return `  ${name.padEnd(28)} ${sorted.join(' ')}`;
  });
  return lines.sort().join('\n');
}
