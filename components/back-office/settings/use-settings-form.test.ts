import { expect, test } from 'vitest';
import { contestedFields } from './use-settings-form';

const dirty = { earnPoints: true };

test('a field that two owners change differently is a conflict; one that only this form changes, or both change alike, is not', () => {
  const before = { earnPoints: 5, pointValue: 1 };
  const typed = { earnPoints: 6, pointValue: 1 };
  expect(contestedFields(dirty, { before, typed, saved: { earnPoints: 4, pointValue: 1 } })).toEqual(['earnPoints']);
  expect(contestedFields(dirty, { before, typed, saved: { earnPoints: 5, pointValue: 2 } })).toEqual([]);
  expect(contestedFields(dirty, { before, typed, saved: { earnPoints: 6, pointValue: 1 } })).toEqual([]);
});

test('a list that both have saved alike is none either', () => {
  const [before, typed] = [{ codeCountries: null }, { codeCountries: ['GB', 'SG'] }];
  expect(contestedFields({ codeCountries: true }, { before, typed, saved: { codeCountries: ['GB', 'SG'] } })).toEqual(
    [],
  );
  expect(contestedFields({ codeCountries: true }, { before, typed, saved: { codeCountries: ['GB'] } })).toEqual([
    'codeCountries',
  ]);
});
