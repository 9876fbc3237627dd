/** Pairs: `1212`, `1111`, `1122`, `1221`. */
const pattern = /^(\d\d)\1$|^(\d)\2(\d)\3$|^(\d)(\d)\5\4$/;
/** Most often a year of birth. */
const year = /^(19|20)\d\d$/;
/** Neighbours on the keypad, up or down: a row (`1234`) or the middle column. */
const runs = ['01234567890', '09876543210', '2580', '0852'];

/** True for a PIN that a guesser tries first: about one in twenty. */
export const isEasyPin = (pin: string): boolean =>
  pattern.test(pin) || year.test(pin) || runs.some((run) => run.includes(pin));
