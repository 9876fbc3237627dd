/** The service gives no wrong response for the audit to notice, so these are made up. */
import { expect, test } from 'vitest';
import { auditAnswers, resumptionsMs } from './audit-answers';
import type { Passage } from './lossy-proxy';

const outages = { database: [{ from: 10_000, to: 10_400 }], service: [{ from: 20_000, to: 20_300 }] };
const served: Passage = {
  method: 'POST',
  path: '/x',
  from: 10_500,
  to: 10_600,
  status: 200,
  retryAfter: null,
  requestId: 'r-1',
};
const refused = { ...served, from: 14_000, to: 17_100, status: 503, retryAfter: '1' };
const resumed = [served, { ...served, from: 20_400, to: 20_450 }];

const rulesBrokenBy = (passage: Partial<Passage>) =>
  auditAnswers([...resumed, { ...served, ...passage }], outages).complaints.map(({ rule }) => rule);

test('does not complain about responses that the contract allows', () => {
  expect(rulesBrokenBy({})).toEqual([]);
  expect(rulesBrokenBy({ status: 402 })).toEqual([]);
  expect(rulesBrokenBy({ status: 404, method: 'GET' })).toEqual([]);
  expect(rulesBrokenBy({ status: 429, retryAfter: '2' })).toEqual([]);
  expect(rulesBrokenBy({ status: 503, retryAfter: '1', from: 9_900, to: 10_100 })).toEqual([]);
  expect(rulesBrokenBy({ status: null, from: 15_100, to: 20_001 })).toEqual([]);
  expect(rulesBrokenBy({ status: null, from: 20_100, to: 20_101 })).toEqual([]);
});

test('complains about any other', () => {
  expect(rulesBrokenBy({ to: 15_501 })).toEqual(['an answer took 5 seconds or longer']);
  for (const to of [20_001, 25_000]) {
    expect(rulesBrokenBy({ status: null, from: 15_000, to })).toEqual(['an answer took 5 seconds or longer']);
  }
  expect(rulesBrokenBy({ status: null })).toEqual(['a request went unanswered while the service lived']);
  expect(rulesBrokenBy({ status: 503, from: 10_001 })).toEqual(['an answer says no Retry-After']);
  expect(rulesBrokenBy({ status: 429, retryAfter: '0' })).toEqual(['an answer says no Retry-After']);
  for (const status of [400, 401, 403, 404, 500]) {
    expect(rulesBrokenBy({ status })).toEqual(['an answer had a status that it must not have']);
  }
  const calm = { from: 14_000, to: 14_010, status: 503, retryAfter: '1' };
  expect(rulesBrokenBy(calm)).toEqual(['an answer had a status that it must not have']);
});

test('says what the service noted about a request', () => {
  const { complaints } = auditAnswers([...resumed, refused], outages, (id) => `${id} waited`);
  expect(complaints.map(({ found }) => found)).toEqual(['POST /x: 503 after 3100 ms: r-1 waited']);
});

test('lets one answer in a thousand come too late, behind others of its customer', () => {
  const waited = () => 'DeadlinePassed  no time is left to begin, after 2193 ms behind others';
  expect(auditAnswers([...resumed, refused], outages, waited)).toEqual({ complaints: [], late: 1 });
  expect(auditAnswers([...resumed, refused, refused], outages, waited).complaints).toEqual([
    { rule: 'too many answers came too late', found: '2 of 4' },
  ]);
});

test('notices a service that does not come back', () => {
  expect(resumptionsMs(resumed, outages)).toEqual([200, 150]);
  const late = [{ ...served, from: 15_000, to: 15_500 }, ...resumed.slice(1)];
  expect(auditAnswers(late, outages).complaints).toEqual([
    { rule: 'nothing was served for 5 seconds after a restart', found: '5100 ms' },
  ]);
  expect(resumptionsMs(resumed.slice(1), outages)).toEqual([9_600, 150]);
});
