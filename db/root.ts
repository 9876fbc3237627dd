/** The folder of the release: the repository, or where `bin/loyalty` is installed. */
export const root = process.env.LOYALTY_ROOT || process.cwd();
