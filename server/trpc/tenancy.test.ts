/**
 * Another merchant's data does not exist. Every procedure, with every id in its input replaced by each of the other
 * merchant's, responds as for an unknown id, reveals nothing, and changes nothing there. Its cases must name every
 * procedure and every id field.
 */
import { beforeAll, expect, test } from 'vitest';
import { sharedDatabase } from '@/db/testing/database';
import { staffContext } from '@/server/domain/access/context';
import type { StaffRole } from '@/server/domain/kernel/context';
import { countAttempt } from '@/server/testing/attempts';
import { callAs } from '@/server/testing/staff';
import { idFieldsOf, idOfNobody, valueAt, withIdAt } from '@/server/testing/tenancy/fields';
import { outcomeOf, withoutNew } from '@/server/testing/tenancy/outcome';
import { canariesOf, idsOf, type Rows, rowsOf } from '@/server/testing/tenancy/rows';
import { needsPaymentService, staffCases } from '@/server/testing/tenancy/staff-cases';
import { createTenancyStage, type TenancyStage } from '@/server/testing/tenancy/stage';
import { listProcedures } from './procedures';
import { staffRouter } from './staff/router';

const procedures = listProcedures<{ roles: readonly StaffRole[] }>(staffRouter).map(({ path, type, inputs, meta }) => ({
  path,
  type,
  roles: meta.roles,
  fields: idFieldsOf(inputs),
}));
const asked = procedures.filter(({ type }) => type !== 'subscription');

/** Procedures whose ids the client creates. Their second case tests them. */
const refusedAnyway = ['menu.createOptionGroup'];

/** The ids of issues are those of `vouchers.give`, too, whose test has used every id of the other merchant. */
const usedBefore = { path: 'vouchers.issue', field: 'issueId' };

const database = sharedDatabase();
let own: TenancyStage;
let other: TenancyStage;
/** As at the start: data that is added later does not resemble the other merchant's. */
let ownRows: Rows;

beforeAll(async () => {
  own = await createTenancyStage(database, 'Aardvark', false);
  other = await createTenancyStage(database, 'Zanzibar', true);
  ownRows = await rowsOf(database.owner, own.merchant.id);
});

const isDone = (outcome: string) => /^\{("data"|\})/.test(outcome);

/** The response as a browser reads it, without the parts that the request contained. */
async function tell(path: string, role: StaffRole, input: unknown, id = '\0'): Promise<string> {
  // Earlier attempts would count against later ones.
  await own.owner`delete from throttles`;
  const caller = callAs(own.staff[role]) as unknown as Record<string, unknown>;
  const procedure = path.split('.').reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], caller);
  const outcome = await outcomeOf((procedure as (input: unknown) => Promise<unknown>)(input));
  countAttempt(!isDone(outcome));
  return outcome.replaceAll(id, '…');
}

/** The case as a list of inputs. */
const inputsOf = async (path: string, stage: TenancyStage): Promise<unknown[]> => {
  const made = await staffCases[path]?.(stage);
  return Array.isArray(made) ? made : [made];
};

test('every procedure has a case, and every case a procedure', () => {
  expect(Object.keys(staffCases).sort()).toEqual(asked.map(({ path }) => path).sort());
  expect(procedures.filter((one) => !asked.includes(one)).map(({ path }) => path)).toEqual(['changes']);
});

test('the other merchant has rows in every table that can hold a merchant’s', async () => {
  const empty = Object.entries(await rowsOf(own.owner, other.merchant.id)).filter(([, rows]) => rows.length === 0);
  expect(empty.map(([table]) => table)).toEqual([]);
});

test.each(asked)('$path', { timeout: 240_000 }, async ({ path, type, roles, fields }) => {
  // For each role, because an id created by the client then belongs to this merchant.
  const inputsByRole = new Map<StaffRole, unknown[]>();
  for (const role of roles) inputsByRole.set(role, await inputsOf(path, other));
  const theirs = await rowsOf(own.owner, other.merchant.id);
  const canaries = canariesOf(theirs, ownRows, other.word);
  for (const role of roles) {
    const inputs = await inputsOf(path, own);
    const lacking = fields.filter((field) => !inputs.some((input) => valueAt(input, field.path)));
    expect(lacking, 'ids that the case does not have').toEqual([]);
    const ask = async (input: unknown, id?: string) => {
      const answer = await tell(path, role, input, id);
      if (isDone(answer)) unused = undefined;
      const told = canaries.filter((canary) => answer.includes(canary));
      expect(told, `${role} ${JSON.stringify(input)}: ${answer.slice(0, 300)}`).toEqual([]);
      return answer;
    };
    /** A change can't be repeated, so the next call needs another input. */
    let unused: { at: number; input: unknown } | undefined;
    const inputAt = async (at: number) => {
      if (type !== 'mutation') return inputs[at];
      if (unused?.at !== at) unused = { at, input: (await inputsOf(path, own))[at] };
      return unused.input;
    };

    for (const at of inputs.keys()) {
      // Only once, because an id created by the client then belongs to this merchant.
      const here = fields.filter(({ path: field }) => inputs.findIndex((input) => valueAt(input, field)) === at);
      for (const field of here) {
        const same = valueAt(inputsByRole.get(role)?.[at], field.path) as string;
        const unknown = idOfNobody(same);
        const telling = type === 'mutation' ? withoutNew : (answer: string) => answer;
        const reference = telling(await ask(withIdAt(await inputAt(at), field.path, unknown), unknown));
        const isUsed = path === usedBefore.path && field.path === usedBefore.field;
        const triesAll = field.kind === 'uuid' && role === roles[0] && !isUsed;
        for (const id of new Set(triesAll ? [same, ...idsOf(theirs)] : [same])) {
          const answer = telling(await ask(withIdAt(await inputAt(at), field.path, id), id));
          if (field.kind !== 'cursor') expect(answer, `${role} ${field.path} ${id}`).toBe(reference);
        }
      }
      const input = await inputAt(at);
      const answer = await ask(input);
      if (!needsPaymentService.includes(path) && (!refusedAnyway.includes(path) || at === 0))
        expect(isDone(answer), `${role} ${JSON.stringify(input)}: ${answer}`).toBe(true);
    }
  }
  expect(await rowsOf(own.owner, other.merchant.id)).toEqual(theirs);
});

test('a person has no access to a merchant without a membership', async () => {
  for (const { staff } of Object.values(own.staff)) {
    const person = {
      userId: staff.userId,
      name: '',
      email: '',
      confirmedAt: new Date(),
      memberships: [
        { merchantId: own.merchant.id, merchantName: '', role: staff.role, storeIds: null, secondFactorFrom: null },
      ],
    };
    expect(await staffContext(own.services, person, other.merchant.id)).toBeNull();
  }
});
