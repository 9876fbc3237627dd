/** Returns `done`, or the code of PostgreSQL's error. */
export const codeOf = (work: PromiseLike<unknown>): Promise<string> =>
  Promise.resolve(work).then(
    () => 'done',
    (error) => error.code,
  );
