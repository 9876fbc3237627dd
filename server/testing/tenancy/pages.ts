export const nothing = () => undefined;

/** Where a page begins and where it ends: of a list that is sorted by these. */
export function pages(...key: string[]): [{ after: string }, { before: string }] {
  const cursor = Buffer.from(JSON.stringify(key)).toString('base64url');
  return [{ after: cursor }, { before: cursor }];
}
