import type { z } from 'zod';
import type { Issue } from './errors';

type ZodIssue = z.core.$ZodIssue;

/** What a schema found wrong: one line for each bad field, the last that was found of it. */
export function issuesOf(issues: ZodIssue[]): Issue[] {
  return [...new Map(issues.flatMap(toIssues).map((issue) => [issue.path || issue.message, issue])).values()];
}

/** Also of fields that should not be there, by their own names. */
function toIssues(issue: ZodIssue): Issue[] {
  const path = issue.path.join('.');
  if (issue.code !== 'unrecognized_keys') return [{ path, message: sayWhy(issue) }];
  return issue.keys.map((key) => ({ path: path ? `${path}.${key}` : key, message: 'is not a field of this request' }));
}

/** Why a value is refused, to be read behind the name of its field. */
export function sayWhy(issue: ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return typeMessage(issue.message);
    case 'too_small':
      return `must ${measure(issue.origin, issue.inclusive ? 'at least' : 'more than', Number(issue.minimum))}`;
    case 'too_big':
      return `must ${measure(issue.origin, 'at most', Number(issue.maximum))}`;
    case 'invalid_value':
      return `must be one of ${issue.values.map(String).join(', ')}`;
    case 'invalid_format':
      return formats[issue.format] ?? issue.message;
    default:
      return issue.message;
  }
}

const formats: Record<string, string> = {
  datetime: 'must be an RFC 3339 time with its offset, like 2026-11-20T19:42:00+08:00',
  date: 'must be a date, like 1990-05-17',
  email: 'is not a valid e-mail address',
  uuid: 'is not a valid id',
};

/** Numbers are measured by their value, texts by characters, lists by items. */
function measure(origin: string, bound: string, limit: number): string {
  const units: Record<string, string> = { string: 'character', array: 'item' };
  const unit = units[origin];
  return unit ? `have ${bound} ${limit} ${unit}${limit === 1 ? '' : 's'}` : `be ${bound} ${limit}`;
}

function typeMessage(message: string): string {
  const [, expected, received] = /expected (\w+), received (\w+)/.exec(message) ?? [];
  if (received === 'undefined') return 'is required';
  const type = expected === 'int' ? 'an integer' : `${expected && /^[aeiou]/.test(expected) ? 'an' : 'a'} ${expected}`;
  return received === 'null' ? `must be ${type}, not null` : `must be ${type}`;
}
