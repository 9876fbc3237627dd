import fc from 'fast-check';
import iconv from 'iconv-lite';
import { describe, expect, test } from 'vitest';
import { DomainError } from '../kernel/errors';
import { readTable } from './read-table';
import type { TableRow } from './rows';
import { type Encoding, isUnsure, type TableChoice } from './schemas';

async function read(bytes: Uint8Array, { country = 'SG', choice = {} as TableChoice, size = 7 } = {}) {
  const rows: TableRow[] = [];
  async function* body() {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  }
  const source = await readTable({ body: body(), choice, country, maxBytes: 1_000_000 }, (row) => void rows.push(row));
  return { source, cells: rows.map(({ cells }) => cells) };
}

const files: [Encoding, string, string][] = [
  ['gb18030', 'CN', '姓名,手机,生日\n王伟,13800138000,1985-06-15\n李娜,13800138001,1990-01-02\n欧阳喆,13800138002,\n'],
  ['shift_jis', 'JP', '氏名,電話番号,誕生日\n山田 太郎,09012345678,1985/06/15\n髙橋 はな,09012345679,\n'],
  ['euc-kr', 'KR', '이름,전화번호,생일\n김민준,01012345678,1985-06-15\n이서연,01012345679,\n'],
  ['big5', 'TW', '姓名,電話,生日\n陳怡君,0912345678,1985/06/15\n林志明,0912345679,\n'],
];

describe('a CSV file of Excel', () => {
  test.each(files)('in %s is recognized by its bytes', async (encoding, country, text) => {
    const expected = text
      .trim()
      .split('\n')
      .map((line) => line.split(','));
    for (const one of [country, 'US']) {
      for (const size of [1, 7, 4_096]) {
        const { source, cells } = await read(iconv.encode(text, encoding), { country: one, size });
        expect(source).toEqual({ kind: 'text', encoding, isCertain: true });
        expect(cells).toEqual(expected);
      }
    }
  });

  test.each(['utf-16le', 'utf-16be'] as const)('as Unicode text (%s with tabs) is read', async (encoding) => {
    const text = '\ufeffName\tPhone\r\nJosé 王伟\t81234567\r\n';
    const bytes = iconv.encode(text, encoding, { addBOM: false });
    expect(await read(bytes)).toEqual({
      source: { kind: 'text', encoding, isCertain: true },
      cells: [
        ['Name', 'Phone'],
        ['José 王伟', '81234567'],
      ],
    });
  });

  test('in UTF-8 needs no mark, and one accent is enough', async () => {
    const { source, cells } = await read(Buffer.from('Name,Phone\nJosé,81234567\n'));
    expect([source, cells[1]]).toEqual([{ kind: 'text', encoding: 'utf-8', isCertain: true }, ['José', '81234567']]);
  });

  test('that could be of another encoding has to be chosen', async () => {
    // The bytes of 牛 are also those of ţ in UTF-8.
    const { source } = await read(iconv.encode('Name\n牛\n', 'gb18030'));
    expect(isUnsure(source)).toBe(true);
    const chosen = await read(iconv.encode('Name\n牛\n', 'gb18030'), { choice: { encoding: 'gb18030' } });
    expect(chosen).toEqual({
      source: { kind: 'text', encoding: 'gb18030', isCertain: true },
      cells: [['Name'], ['牛']],
    });
    const western = await read(Buffer.from('Name\nJosé\nMüller\n', 'latin1'), { country: 'DE' });
    expect(western.source).toEqual({ kind: 'text', encoding: 'windows-1252', isCertain: false });
    expect(western.cells[1]).toEqual(['José']);
  });

  test.each([
    ['an encoding that the bytes are not of', iconv.encode('Name\n山田\n', 'shift_jis'), 'utf-8'],
    ['bytes that are no text', Buffer.from([0x50, 0x4b, 3, 4, 0, 0, 0xff, 0xfe, 0]), undefined],
    ['zero bytes', Buffer.from('Name\nA\0\0\n'), undefined],
    ['zero bytes behind a letter', Buffer.from('Name\n王A\0\0\n'), undefined],
  ] as const)('is refused for %s', async (_, bytes, encoding) => {
    await expect(read(bytes, { choice: { encoding } })).rejects.toThrow(DomainError);
  });
});

/** Names as registers have them, those with rare characters, too. */
const names: Record<string, { encodings: Encoding[]; name: fc.Arbitrary<string> }> = {
  chinese: {
    encodings: ['gb18030', 'utf-8', 'utf-16le'],
    name: fc.stringMatching(/^[王李张刘陈杨黄赵周吴徐孙马牛欧阳][一-龥]{1,2}$/u),
  },
  japanese: {
    encodings: ['shift_jis', 'utf-8', 'utf-16le'],
    name: fc.stringMatching(
      /^(?:[佐鈴高田伊渡山中小加吉][藤木橋中東辺本村林田] [ぁ-ん]{2,3}|[ｱ-ﾝ]{2,4} [ｱ-ﾝ]{2,4}|[ァ-ン]{2,5})$/u,
    ),
  },
  korean: {
    encodings: ['euc-kr', 'utf-8', 'utf-16le'],
    name: fc.stringMatching(
      /^[김이박최정강조윤장임][가간건경고광구규기나다도동라미민서성수승아연영예우원유윤은이재정주준지진찬하현혜호희]{2}$/u,
    ),
  },
  malay: { encodings: ['utf-8', 'utf-16le'], name: fc.stringMatching(/^(?:Siti|Nur|Ahmad) [A-Z][a-zé]{3,8}$/u) },
};

test.each(Object.keys(names))(
  '%s names come in right through every encoding, or have to be chosen, never wrong',
  async (language) => {
    const { encodings, name } = names[language] as (typeof names)[string];
    let certain = 0;
    const isWritable = (text: string, encoding: Encoding) =>
      iconv.decode(iconv.encode(text, encoding), encoding) === text;
    await fc.assert(
      fc.asyncProperty(
        fc.array(name, { minLength: 1, maxLength: 12 }),
        fc.constantFrom(...encodings),
        fc.constantFrom('SG', 'CN', 'JP', 'KR', 'US'),
        async (people, encoding, country) => {
          const text = `Name,Phone\n${people.map((one) => `${one},81234567\n`).join('')}`;
          fc.pre(isWritable(text, encoding));
          const mark = encoding === 'utf-16le' ? '\ufeff' : '';
          const { source, cells } = await read(iconv.encode(mark + text, encoding), { country, size: 4_096 }).catch(
            () => ({
              source: null,
              cells: [],
            }),
          );
          if (source === null || isUnsure(source)) return;
          certain += 1;
          expect(cells.slice(1).map(([one]) => one)).toEqual(people);
        },
      ),
      { numRuns: 400 },
    );
    // A test that accepts every refusal proves nothing.
    expect(certain).toBeGreaterThan(250);
  },
);
