/**
 * Audits whether the service responded as the contract says: in time, always, and with 503 only while the database was
 * down, or, seldom, where no time was left.
 */
import type { Complaint, Rule } from './complaints';
import type { Passage } from './lossy-proxy';
import type { Outage } from './victims';

/** After its return, the database may appear down for this long, while connections are reopened. */
const graceMs = 3_000;
/** The contract's maximum. */
const maxMs = 5_000;
/**
 * One answer in so many may be 503 because others of its customer came first: with a few busy customers, that depends on
 * how fast the machine is. Nothing else may take so long while the database is up.
 */
const answersPerLate = 1_000;
const isLate = (cause: string) => /^DeadlinePassed .* behind others$/.test(cause);

const overlaps = ({ from, to }: Outage, outages: Outage[], after = 0) =>
  outages.some((outage) => from < outage.to + after && to > outage.from);

const isAnswered = ({ status }: Passage) => status === 200 || status === 402;

/** The outages of both, since the start of the run. */
export interface Outages {
  database: Outage[];
  service: Outage[];
}

/** Returns the contract violations among a run's responses, and how many came too late. `causeOf` says why a request failed. */
export function auditAnswers(
  passages: Passage[],
  outages: Outages,
  causeOf: (requestId: string) => string = () => '',
): { complaints: Complaint[]; late: number } {
  let late = 0;
  const complaints = passages.flatMap((passage): Complaint[] => {
    const { method, path, from, to, status, retryAfter, requestId } = passage;
    const complain = (rule: Rule, cause = ''): Complaint[] => {
      const found = `${method} ${path}: ${status ?? 'nothing'} after ${Math.round(to - from)} ms`;
      return [{ rule, found: cause ? `${found}: ${cause}` : found }];
    };
    // A request that hangs until the service is killed was not cut off by the kill.
    if (to - from >= maxMs) return complain('an answer took 5 seconds or longer');
    if (status === null) {
      return overlaps(passage, outages.service) ? [] : complain('a request went unanswered while the service lived');
    }
    const isBusy = status === 503 || status === 429;
    if (isBusy && !/^[1-9]\d*$/.test(retryAfter ?? '')) return complain('an answer says no Retry-After');
    const isRight =
      isAnswered(passage) ||
      status === 429 ||
      (status === 503 && overlaps(passage, outages.database, graceMs)) ||
      (status === 404 && method === 'GET');
    if (isRight) return [];
    const cause = requestId ? causeOf(requestId) : '';
    if (status !== 503 || !isLate(cause)) return complain('an answer had a status that it must not have', cause);
    late += 1;
    return [];
  });
  const stalls = resumptionsMs(passages, outages).filter((ms) => ms >= maxMs);
  if (stalls.length > 0) {
    const found = stalls.map((ms) => `${ms} ms`).join(', ');
    complaints.push({ rule: 'nothing was served for 5 seconds after a restart', found });
  }
  if (late > Math.ceil(passages.length / answersPerLate))
    complaints.push({ rule: 'too many answers came too late', found: `${late} of ${passages.length}` });
  return { complaints, late };
}

/** For each time that both were back: how long until a new request was served, or until the next kill. */
export function resumptionsMs(passages: Passage[], { database, service }: Outages): number[] {
  const all = [...database, ...service].sort((a, b) => a.from - b.from);
  const served = passages.filter(isAnswered).sort((a, b) => a.to - b.to);
  return all.flatMap(({ to }) => {
    if (overlaps({ from: to, to }, all)) return [];
    const nextKill = all.find(({ from }) => from > to)?.from;
    const first = served.find(({ from }) => from > to)?.to;
    const end = Math.min(first ?? Number.POSITIVE_INFINITY, nextKill ?? Number.POSITIVE_INFINITY);
    return Number.isFinite(end) ? [Math.round(end - to)] : [];
  });
}
