export const noInput = () => undefined;

/** Returns the cursors before and after a key of a list. */
export function pages(...key: string[]): [{ after: string }, { before: string }] {
  const cursor = Buffer.from(JSON.stringify(key)).toString('base64url');
  return [{ after: cursor }, { before: cursor }];
}
