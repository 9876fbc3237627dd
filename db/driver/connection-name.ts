import journal from '../migrations/meta/_journal.json' with { type: 'json' };

/** The `application_name` of connections: `loyalty 0019`, with the number of their release's newest migration. */
export const connectionName = (program: 'loyalty' | 'loyalty-worker'): string =>
  `${program} ${(journal.entries.at(-1)?.tag ?? '').slice(0, 4)}`;
