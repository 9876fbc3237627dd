import type { NumberKind } from './cell-formats';

const dayMs = 86_400_000;
/** Excel believes that 1900 was a leap year, so its days begin one earlier from March 1900. */
const epochs = {
  from1900: Date.UTC(1899, 11, 30),
  beforeMarch1900: Date.UTC(1899, 11, 31),
  from1904: Date.UTC(1904, 0, 1),
};
const lastDay = 2_958_466;

/** Spreadsheets keep 15 digits of a number. */
const digitsKept = 15;

/**
 * Writes a cell's number: a date as `YYYY-MM-DD`, with its time if it has one, as `--MM-DD` or `YYYY-MM` if that is all that is shown, a whole number with all its digits, one
 * with decimals as a formula. A number whose last digits are lost stays in scientific notation.
 */
export function writeNumber(value: number, format: NumberKind, isFrom1904: boolean): string {
  if (format.kind === 'date' && value >= 0 && value < lastDay) {
    const text = writeDate(value, isFrom1904);
    return format.lacks === 'year' ? `-${text.slice(4)}` : format.lacks === 'day' ? text.slice(0, 7) : text;
  }
  const rounded = Number(value.toPrecision(digitsKept));
  if (!Number.isInteger(rounded)) return Math.abs(rounded) < 1e-6 ? String(rounded) : `=${rounded}`;
  if (Math.abs(rounded) >= 10 ** digitsKept) return rounded.toExponential().replace('e', 'E');
  const text = String(rounded);
  return format.kind === 'digits' && rounded >= 0 ? text.padStart(format.length, '0') : text;
}

function writeDate(serial: number, isFrom1904: boolean): string {
  const epoch = isFrom1904 ? epochs.from1904 : serial < 60 ? epochs.beforeMarch1900 : epochs.from1900;
  const seconds = Math.round((serial * dayMs) / 1_000);
  const [day = '', time = ''] = new Date(epoch + seconds * 1_000).toISOString().split('T');
  const clock = time.slice(0, 8);
  if (!isFrom1904 && serial < 1) return clock;
  return clock === '00:00:00' ? day : `${day} ${clock}`;
}
