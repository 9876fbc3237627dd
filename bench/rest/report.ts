/** Tables of figures, and which of them miss their target. A quick run judges none. */
import type { Say } from '../database';
import { isQuick } from '../pace';

export interface Report {
  say: Say;
  /** Prints a row of a table. */
  row(cells: (string | number)[]): void;
  /** Compares a figure with its target, and prints the result. */
  atLeast(what: string, value: number, target: number): void;
  atMost(what: string, value: number, target: number): void;
  /** Prints the missed targets; returns true if there are none. */
  conclude(): boolean;
}

const nameWidth = 12;
const width = 12;

export function createReport(say: Say): Report {
  const misses: string[] = [];
  const judge = (what: string, value: number, target: number, sign: '≥' | '≤') => {
    const isMissed = !isQuick && (sign === '≥' ? !(value >= target) : !(value <= target));
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
      if (isQuick) return true;
      say(misses.length === 0 ? 'All targets are met.' : `Missed targets (${misses.length}):`);
      for (const miss of misses) say(`  ${miss}`);
      return misses.length === 0;
    },
  };
}

const format = (value: number): string =>
  value >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(value >= 10 ? 1 : 2);
