import type { z } from 'zod';
import type { Issue } from './errors';
import { inEnglish } from './in-english';
import { type Sentence, type SentenceKey, say, verbatim } from './say';
import { sentences } from './sentences';

type ZodIssue = z.core.$ZodIssue;

/** What a schema found wrong: one line for each bad field, with the last problem found there. */
export function issuesOf(issues: ZodIssue[]): Issue[] {
  return [
    ...new Map(issues.flatMap(toIssues).map((issue) => [issue.path || inEnglish(issue.sentence), issue])).values(),
  ];
}

/** Fields that should not be there are reported by their own names. */
function toIssues(issue: ZodIssue): Issue[] {
  const path = issue.path.join('.');
  if (issue.code !== 'unrecognized_keys') return [{ path, sentence: describeFailure(issue) }];
  return issue.keys.map((key) => ({ path: path ? `${path}.${key}` : key, sentence: say('unknownField') }));
}

/** Says why a value is refused, as a phrase that follows its field's name. */
export function describeFailure(issue: ZodIssue): Sentence {
  switch (issue.code) {
    case 'invalid_type':
      return sayType(issue.message);
    case 'too_small':
      return sayLeast(issue.origin, Number(issue.minimum), issue.inclusive);
    case 'too_big':
      return sayMost(issue.origin, Number(issue.maximum));
    case 'invalid_value':
      return say('oneOf', { values: issue.values.map(String).join(', ') });
    case 'invalid_format':
      return formats[issue.format] ?? ownSentence(issue);
    default:
      return ownSentence(issue);
  }
}

const formats: Record<string, Sentence> = {
  datetime: say('notATime'),
  date: say('notADate'),
  email: say('notAnEmail'),
  uuid: say('notAnId'),
};

const types: Record<string, Sentence> = {
  int: say('notAnInteger'),
  number: say('notANumber'),
  string: say('notAText'),
  boolean: say('notABoolean'),
  array: say('notAList'),
  object: say('notAnObject'),
  record: say('notARecord'),
};

/** Numbers are measured by value, texts by characters, lists by items. */
function sayLeast(origin: string, minimum: number, isInclusive: boolean | undefined): Sentence {
  if (origin === 'string') return minimum === 1 ? say('oneCharacter') : say('fewestCharacters', { count: minimum });
  if (origin === 'array') return minimum === 1 ? say('oneItem') : say('fewestItems', { count: minimum });
  return isInclusive ? say('atLeast', { minimum }) : say('moreThan', { minimum });
}

function sayMost(origin: string, maximum: number): Sentence {
  if (origin === 'string') return maximum === 1 ? say('mostOneCharacter') : say('mostCharacters', { count: maximum });
  if (origin === 'array') return maximum === 1 ? say('mostOneItem') : say('mostItems', { count: maximum });
  return say('atMost', { maximum });
}

function sayType(message: string): Sentence {
  const [, expected = '', received] = /expected (\w+), received (\w+)/.exec(message) ?? [];
  if (received === 'undefined') return say('required');
  const problem = types[expected] ?? verbatim(`must be a ${expected}`);
  return received === 'null' ? say('notNull', { problem }) : problem;
}

/** The schema's own sentence, given by `problem`. */
function ownSentence(issue: ZodIssue): Sentence {
  const { message } = issue;
  if (!isKey(message)) return verbatim(message);
  return { key: message, values: issue.code === 'custom' ? (issue.params ?? {}) : {} };
}

const isKey = (text: string): text is SentenceKey => Object.hasOwn(sentences, text);
