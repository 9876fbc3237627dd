import { expect, test } from 'vitest';
import { sameTable, tableNames } from './rules';
import { addTablesInput } from './schemas';

test.each([
  ['1-3', ['1', '2', '3']],
  ['A1-A3, Bar', ['A1', 'A2', 'A3', 'Bar']],
  ['Floor 2-1-3', ['Floor 2-1', 'Floor 2-2', 'Floor 2-3']],
  ['A1-3', ['A1', 'A2', 'A3']],
  ['08 – 10', ['08', '09', '10']],
  ['窗边，吧台、12-13', ['窗边', '吧台', '12', '13']],
  [' , Terrace 1 ,', ['Terrace 1']],
  // A name that looks like a range.
  ['T-1', ['T-1']],
  ['9-3', ['9-3']],
  ['A1-B3', ['A1-B3']],
])('%s stands for %j', (typed, names) => {
  expect(tableNames(typed)).toEqual(names);
});

test('too many are refused, however many are typed', () => {
  const problemOf = (names: string) =>
    addTablesInput.safeParse({ storeId: crypto.randomUUID(), names }).error?.issues[0]?.message;
  expect(problemOf('1-200')).toBeUndefined();
  expect(problemOf('1-201')).toBe('tooManyTablesAtOnce');
  expect(problemOf('1-9999, 1-9999')).toBe('tooManyTablesAtOnce');
  expect(problemOf('A1, a1')).toBe('tableNameRepeated');
  expect(problemOf('x'.repeat(65))).toBe('tableNameTooLong');
});

test('a till may write a name in any letter case, with spaces', () => {
  expect(sameTable(' Terrace 1')).toBe(sameTable('TERRACE 1 '));
  expect(sameTable('ｈｂ-Ａ１')).toBe(sameTable('hb-A1'));
  expect(sameTable('Ｔｅｒｒａｃｅ\u3000１')).toBe(sameTable('terrace1'));
  expect(sameTable('A1')).not.toBe(sameTable('A11'));
});
