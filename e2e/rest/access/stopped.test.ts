/**
 * While a merchant's writes are stopped, before it leaves for another cell: every operation that changes something answers
 * 503 with `Retry-After` and changes nothing, and succeeds when it is sent again.
 */
import { beforeAll, expect, test } from 'vitest';
import { whileStopped } from '@/server/testing/stop';
import { rowsOf } from '@/server/testing/tenancy/rows';
import { documented } from '../document';
import { restApi } from '../harness';
import { performCall } from '../operations';
import { callOf, createFullStage, type FullStage } from '../ordering-operations';

const api = restApi();
/** Which changes no row. */
const keptByTheProcess = 'setSandboxFaults';

let stage: FullStage;

beforeAll(async () => {
  stage = await createFullStage(api);
});

/** Without the stop itself, and the log of requests, which is written a little later. */
const rows = async () => ({ ...(await rowsOf(api.owner, stage.merchant.id)), merchant_moves: [], api_requests: [] });

test.each(documented.map(({ operation }) => operation.operationId))('%s', async (operation) => {
  const call = await callOf(api, operation, stage);
  const before = await rows();
  const answer = await whileStopped(api.owner, stage.merchant.id, () => performCall(api, stage.key, call));
  expect(await rows()).toEqual(before);
  if (call.method !== 'GET' && operation !== keptByTheProcess) expect(answer.status).toBe(503);
  if (answer.status !== 200) {
    expect([answer.status, answer.body.error.code], answer.text).toEqual([503, 'service_unavailable']);
    expect(answer.body.error.message).toContain('being moved');
    expect(answer.headers.get('retry-after')).toBe('1');
    expect((await performCall(api, stage.key, call)).status).toBe(200);
  }
});
