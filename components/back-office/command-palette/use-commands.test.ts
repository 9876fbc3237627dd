import { expect, test } from 'vitest';
import { startsWord } from './use-commands';

test.each([
  ['sign out everywhere', 'out', true],
  ['PIN reset', 'pin', true],
  ['templates', 'late', false],
  ['過敏原', '敏', true],
  ['アレルゲン', 'レル', true],
])(
  '“%s” is found by “%s” as the beginning of a word, or any part where there are no spaces: %s',
  (words, text, isFound) => {
    expect(startsWord(words, text)).toBe(isFound);
  },
);
