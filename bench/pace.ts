/** With `--quick`, each case runs from beginning to end within seconds: it shows that the case works, not how fast it is. */
export const isQuick = process.argv.includes('--quick');

/** A number of a whole run, and of a quick one. */
export const inFull = (whole: number, quick: number): number => (isQuick ? quick : whole);
