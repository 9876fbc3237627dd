/** Tables of figures, and which of them miss their target. */
import type { Say } from '../database';

export interface Report {
  say: Say;
  /** A row of a table; columns as wide as their heads. */
  row(cells: (string | number)[]): void;
  /** Holds a figure against its target, and says so. */
  atLeast(what: string, value: number, target: number): void;
  atMost(what: string, value: number, target: number): void;
  /** Says what was missed; whether nothing was. */
  conclude(): boolean;
}

const nameWidth = 12;
const width = 12;

export function createReport(say: Say): Report {
  const misses: string[] = [];
  const judge = (what: string, value: number, target: number, sign: '≥' | '≤') => {
    const isMissed = sign === '≥' ? !(value >= target) : !(value <= target);
    const line = `${what}: ${format(value)} (target ${sign} ${target})`;
    if (isMissed) misses.push(line);
    say(`${isMissed ? 'MISSED ' : '       '}${line}`);
  };
  return {
    say,
    row: ([name, ...cells]) => {
      const text = cells.map((cell) => (typeof cell === 'number' ? format(cell) : cell).padStart(width)).join('');
      say(String(name).padEnd(nameWidth) + text);
    },
    atLeast: (what, value, target) => judge(what, value, target, '≥'),
    atMost: (what, value, target) => judge(what, value, target, '≤'),
    conclude: () => {
      say(misses.length === 0 ? 'All targets are met.' : `Missed targets (${misses.length}):`);
      for (const miss of misses) say(`  ${miss}`);
      return misses.length === 0;
    },
  };
}

const format = (value: number): string =>
  value >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(value >= 10 ? 1 : 2);
